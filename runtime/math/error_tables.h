// The quotients of polynomials in erf, row i the coefficients of the i-th power in each range:
// below 27/32, 5/4, 1/0.35 and above it. Where a range has fewer, there is a zero.
#ifndef CUFRT_MATH_ERROR_TABLES_H
#define CUFRT_MATH_ERROR_TABLES_H

namespace {

alignas(32) const double errorAbove[8][4] = {
    {0x1.06eba8214db68p-3, -0x1.359b8bef77538p-9, -0x1.43412600d6435p-7, -0x1.4341239e86f4ap-7},
    {-0x1.4cd7d691cb913p-2, 0x1.a8d00ad92b34dp-2, -0x1.63416e4ba736p-1, -0x1.993ba70c285dep-1},
    {-0x1.d2a51dbd7194fp-6, -0x1.7d240fbb8c3f1p-2, -0x1.51e0441b0e726p+3, -0x1.1c209555f995ap+4},
    {-0x1.7a291236668e4p-8, 0x1.45fca805120e4p-2, -0x1.f300ae4cba38dp+5, -0x1.4145d43c5ed98p+7},
    {-0x1.8ead6120016acp-16, -0x1.c63983d3e28ecp-4, -0x1.44cb184282266p+7, -0x1.3ec881375f228p+9},
    {0, 0x1.22a36599795ebp-5, -0x1.7135cebccabb2p+7, -0x1.004616a2e5992p+10},
    {0, -0x1.1bf380a96073fp-9, -0x1.4526557e4d2f2p+6, -0x1.e384e9bdc383fp+8},
    {0, 0, -0x1.3a0efc69ac25cp+3, 0}};

alignas(32) const double errorBelow[9][4] = {
    {1, 1, 1, 1},
    {0x1.97779cddadc09p-2, 0x1.b3e6618eee323p-4, 0x1.3a6b9bd707687p+4, 0x1.e568b261d519p+4},
    {0x1.0a54c5536cebap-4, 0x1.14af092eb6f33p-1, 0x1.1350c526ae721p+7, 0x1.45cae221b9f0ap+8},
    {0x1.4d022c4d36b0fp-8, 0x1.2635cd99fe9a7p-4, 0x1.b290dd58a1a71p+8, 0x1.802eb189d5118p+10},
    {0x1.15dc9221c1a1p-13, 0x1.02660e763351fp-3, 0x1.42b1921ec2868p+9, 0x1.8ffb7688c246ap+11},
    {-0x1.09c4342a2612p-18, 0x1.bedc26b51dd1cp-7, 0x1.ad02157700314p+8, 0x1.3f219cedf3be6p+11},
    {0, 0x1.88b545735151dp-7, 0x1.b28a3ee48ae2cp+6, 0x1.da874e79fe763p+8},
    {0, 0, 0x1.a47ef8e484a93p+2, -0x1.670e242712d62p+4},
    {0, 0, -0x1.eeff2ee749a62p-5, 0}};

alignas(16) const float errorAboveSingle[8][4] = {
    {0x1.06eba8p-3F, -0x1.359b8cp-9F, -0x1.434126p-7F, -0x1.434124p-7F},
    {-0x1.4cd7d6p-2F, 0x1.a8d00ap-2F, -0x1.63416ep-1F, -0x1.993ba8p-1F},
    {-0x1.d2a51ep-6F, -0x1.7d241p-2F, -0x1.51e044p+3F, -0x1.1c2096p+4F},
    {-0x1.7a2912p-8F, 0x1.45fca8p-2F, -0x1.f300aep+5F, -0x1.4145d4p+7F},
    {-0x1.8ead62p-16F, -0x1.c63984p-4F, -0x1.44cb18p+7F, -0x1.3ec882p+9F},
    {0, 0x1.22a366p-5F, -0x1.7135cep+7F, -0x1.004616p+10F},
    {0, -0x1.1bf38p-9F, -0x1.452656p+6F, -0x1.e384eap+8F},
    {0, 0, -0x1.3a0efcp+3F, 0}};

alignas(16) const float errorBelowSingle[9][4] = {
    {1, 1, 1, 1},
    {0x1.97779cp-2F, 0x1.b3e662p-4F, 0x1.3a6b9cp+4F, 0x1.e568b2p+4F},
    {0x1.0a54c6p-4F, 0x1.14af0ap-1F, 0x1.1350c6p+7F, 0x1.45cae2p+8F},
    {0x1.4d022cp-8F, 0x1.2635cep-4F, 0x1.b290dep+8F, 0x1.802eb2p+10F},
    {0x1.15dc92p-13F, 0x1.02660ep-3F, 0x1.42b192p+9F, 0x1.8ffb76p+11F},
    {-0x1.09c434p-18F, 0x1.bedc26p-7F, 0x1.ad0216p+8F, 0x1.3f219cp+11F},
    {0, 0x1.88b546p-7F, 0x1.b28a3ep+6F, 0x1.da874ep+8F},
    {0, 0, 0x1.a47ef8p+2F, -0x1.670e24p+4F},
    {0, 0, -0x1.eeff2ep-5F, 0}};

} // namespace
#endif // CUFRT_MATH_ERROR_TABLES_H
