// Whether a Fortran text uses CUDA, by what stands in its statements: strings and comments do not count,
// continued lines are joined.
const TYPE = String.raw`(?:integer|real|complex|logical|character|double\s*precision|double\s*complex|type\s*\(|class\s*\()`;
const SPACE = String.raw`(?:device|managed|shared|constant|pinned|texture|unified)`;
const CUDA = [
  String.raw`\battributes\s*\(\s*(?:global|device|grid_global|host|${SPACE})\b`,
  String.raw`[\w)]\s*<<<(?!<)`,
  String.raw`^\s*${TYPE}[^\n]*,\s*${SPACE}\s*(?:,[^\n]*)?::`,
  String.raw`^\s*${SPACE}\s*::`,
  String.raw`^\s*use\s*(?:,\s*(?:non_)?intrinsic\s*::)?\s*(?:cudafor|cudadevice|cooperative_groups|cublas\w*|cufftx?t?|curand\w*|cusparse\w*|cusolver\w*|cutensor\w*|nccl)\b`,
].map((pattern) => new RegExp(pattern, 'im'));
const DIRECTIVE = /^\s*[!cC*](?:\$cuf|@cuf)\b/im;

function statements(text: string, fixedForm: boolean): string {
  const lines = fixedForm ? text.replace(/^[cC*!dD].*$/gm, '').replace(/\r?\n {5}[^ 0\n]/g, ' ') : text;
  return lines.replace(/'[^'\n]*'|"[^"\n]*"/g, '""').replace(/!.*$/gm, '').replace(/&[ \t]*(?:\r?\n[ \t]*)+&?/g, ' ').replace(/;/g, '\n');
}

export function usesCuda(text: string, fixedForm: boolean): boolean {
  if (DIRECTIVE.test(text)) return true;
  const code = statements(text, fixedForm);
  return CUDA.some((pattern) => pattern.test(code));
}
