// Statements and operands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/lexer.h"

namespace gridspan::transforms::ptx {

namespace {

class Parser {
 public:
  Parser(std::string_view text, std::string& problem) : lexer_(text), problem_(problem) {}

  bool run(std::vector<Statement>& statements);

 private:
  bool statement(std::vector<Statement>& statements);
  bool declaration(Statement& statement);
  bool instruction(Statement& statement);
  bool operand(Operand& operand);
  bool single_operand(Operand& operand);
  bool vector(Operand& operand);
  bool address(Operand& operand);
  bool fail() {
    if (problem_.empty()) problem_ = "near \"" + std::string(lexer_.rest().substr(0, 40)) + "\"";
    return false;
  }

  Lexer lexer_;
  std::string& problem_;
};

bool Parser::run(std::vector<Statement>& statements) {
  while (!lexer_.at_end())
    if (!statement(statements)) return false;
  return true;
}

bool Parser::statement(std::vector<Statement>& statements) {
  if (lexer_.take(';')) return true;
  Statement next;
  if (lexer_.take('{')) {
    next.kind = Statement::Kind::open;
  } else if (lexer_.take('}')) {
    next.kind = Statement::Kind::close;
  } else if (auto label = lexer_.label()) {
    next.kind = Statement::Kind::label;
    next.label = *label;
  } else if (lexer_.peek() == '.') {
    if (!declaration(next)) return false;
  } else if (!instruction(next)) {
    return false;
  }
  statements.push_back(std::move(next));
  return true;
}

/// .reg .b32 a, b, t<4>;   (t<4> declares t0 to t3)
bool Parser::declaration(Statement& statement) {
  statement.kind = Statement::Kind::declaration;
  if (!lexer_.rest().starts_with(".reg")) return fail();
  std::string word = lexer_.opcode();
  if (word == ".reg") word += lexer_.opcode();
  if (!word.starts_with(".reg.")) return fail();
  statement.type = word.substr(5);
  do {
    const std::string name = lexer_.name();
    if (name.empty()) return fail();
    if (!lexer_.take('<')) {
      statement.names.push_back(name);
      continue;
    }
    const auto count = lexer_.number();
    if (!count || count->integer > 4096 || !lexer_.take('>')) return fail();
    for (std::uint64_t i = 0; i < count->integer; ++i)
      statement.names.push_back(name + std::to_string(i));
  } while (lexer_.take(','));
  return lexer_.take(';') || lexer_.at_end() || fail();
}

bool Parser::instruction(Statement& statement) {
  Instruction& made = statement.instruction;
  if (lexer_.take('@')) {
    made.guard.emplace();
    if (!single_operand(*made.guard)) return false;
  }
  made.opcode = lexer_.opcode();
  if (made.opcode.empty()) return fail();
  while (lexer_.peek() != ';' && lexer_.peek() != '}' && !lexer_.at_end()) {
    if (!operand(made.operands.emplace_back())) return false;
    if (!lexer_.take(',')) break;
  }
  return lexer_.take(';') || lexer_.peek() == '}' || lexer_.at_end() || fail();
}

bool Parser::operand(Operand& operand) {
  if (!single_operand(operand)) return false;
  if (!lexer_.take('|')) return true;
  Operand first = std::move(operand), second;
  if (!single_operand(second)) return false;
  operand = {};
  operand.kind = Operand::Kind::pair;
  operand.parts = {std::move(first), std::move(second)};
  return true;
}

bool Parser::single_operand(Operand& operand) {
  if (lexer_.take('{')) return vector(operand);
  if (lexer_.take('[')) return address(operand);
  if (lexer_.take('!')) operand.negated = true;
  if (!operand.negated)
    if (auto number = lexer_.number()) {
      operand = *number;
      return true;
    }
  operand.name = lexer_.name();
  if (operand.name.empty()) return fail();
  operand.kind = operand.name == "_" ? Operand::Kind::sink : Operand::Kind::name;
  return true;
}

bool Parser::vector(Operand& operand) {
  operand.kind = Operand::Kind::vector;
  do {
    if (!single_operand(operand.parts.emplace_back())) return false;
  } while (lexer_.take(','));
  return lexer_.take('}') || fail();
}

bool Parser::address(Operand& operand) {
  operand.kind = Operand::Kind::address;
  if (!single_operand(operand.parts.emplace_back())) return false;
  const bool plus = lexer_.take('+');
  if (plus || lexer_.peek() == '-') {
    const auto offset = lexer_.number();
    if (!offset || offset->kind != Operand::Kind::integer) return fail();
    operand.offset = static_cast<std::int64_t>(offset->integer);
  }
  return lexer_.take(']') || fail();
}

}  // namespace

std::optional<std::vector<Statement>> parse(std::string_view text, std::string& problem) {
  std::vector<Statement> statements;
  if (!Parser(text, problem).run(statements)) return std::nullopt;
  return statements;
}

}  // namespace gridspan::transforms::ptx
