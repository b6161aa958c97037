// Index expressions as polynomials, and what a small device procedure's variables are for its
// threads.
#include "checks/hazards/polynomial.h"
#include "checks/hazards/thread_values.h"
#include <gtest/gtest.h>

namespace cufc::hazards {
namespace {

const Polynomial x = Polynomial::atom(0), n = Polynomial::atom(1), one = Polynomial::constant(1);

TEST(Polynomial, sumsAndProducts) {
  EXPECT_EQ((x - one) * n + n, x * n);
  EXPECT_EQ((x - x).asConstant(), 0);
  EXPECT_EQ(x.asConstant(), std::nullopt);
  EXPECT_EQ((x * n), (n * x));
}

TEST(Polynomial, coefficients) {
  Polynomial index = (x - one) * n + x.times(3) + one;
  EXPECT_EQ(index.coefficient(0), n + Polynomial::constant(3));
  EXPECT_EQ(index.coefficient(1), x - one);
  EXPECT_TRUE(index.mentionsProduct(0, 1));
  EXPECT_FALSE(index.mentionsProduct(1, 1));
}

TEST(Polynomial, overflowWraps) {
  Polynomial large = Polynomial::constant(1LL << 62);
  EXPECT_EQ((large * Polynomial::constant(4)).asConstant(), 0);
}

Expression name(const Variable &variable) {
  Expression expression;
  expression.kind = Expression::Kind::Name;
  expression.variable = &variable;
  return expression;
}

Expression thread() {
  Expression expression;
  expression.kind = Expression::Kind::Builtin;
  expression.name = "threadidx%x";
  return expression;
}

Expression sum(Expression left, Expression right) {
  Expression expression;
  expression.kind = Expression::Kind::Operation;
  expression.name = "+";
  expression.operands = {std::move(left), std::move(right)};
  return expression;
}

Statement assign(const Variable &variable, Expression value) {
  Statement statement;
  statement.kind = Statement::Kind::Assignment;
  statement.operands = {name(variable), std::move(value)};
  return statement;
}

// i = threadidx%x + step; i = i + step; k = k
TEST(ThreadValues, followsDefinitions) {
  Variable i, step, k;
  i.name = "i";
  step.name = "step";
  k.name = "k";
  i.memory = step.memory = k.memory = Memory::Thread;
  Procedure procedure;
  procedure.body = {assign(i, sum(thread(), name(step))), assign(i, sum(name(i), name(step))),
                    assign(k, name(k))};
  Summaries none;
  ThreadValues values(procedure, none);
  Polynomial value = values.of(name(i));
  EXPECT_EQ(values.text(value), "step+threadidx%x+#i");
  EXPECT_EQ(value.coefficient(values.thread(0)).asConstant(), 1);
  EXPECT_TRUE(values.dependence(name(i)).thread);
  EXPECT_FALSE(values.dependence(name(i)).block);
  EXPECT_FALSE(values.dependence(name(k)).thread);
}

} // namespace
} // namespace cufc::hazards
