/**
 * VKScript as far as sending needs it: `var` and assignment, `return`, literals, arrays, objects, `Args`, member access,
 * `+` and `-`, and calls of API methods. Compiled to closures before anything runs, so that a script with a mistake does
 * nothing at all; never handed to JavaScript's own eval.
 * Language: https://dev.vk.com/method/execute
 */
import { type ApiCall, ExpressionParser, type Scope } from './expressions.ts'
import { TokenReader } from './token-reader.ts'

export type Script = (args: ReadonlyMap<string, string>, call: ApiCall) => unknown

/** @returns what the script returns when this statement ends it */
type Statement = (scope: Scope) => { returned: unknown } | undefined

/** @throws VkError 12 when the script is not VKScript, or more of it than is spoken here */
export function compile(code: string): Script {
  const statements = new StatementParser(code).program()
  return (args, call) => {
    const scope: Scope = { args, call, variables: new Map() }
    for (const statement of statements) {
      const end = statement(scope)
      if (end) return end.returned
    }
    return null
  }
}

class StatementParser {
  readonly #tokens: TokenReader
  readonly #expressions: ExpressionParser

  constructor(code: string) {
    this.#tokens = new TokenReader(code)
    this.#expressions = new ExpressionParser(this.#tokens)
  }

  program(): Statement[] {
    const statements: Statement[] = []
    while (!this.#tokens.isAtEnd) statements.push(...this.#statement())
    return statements
  }

  #statement(): Statement[] {
    const tokens = this.#tokens
    if (tokens.take(';')) return []
    if (tokens.take('return')) {
      const value = tokens.is(';') || tokens.isAtEnd ? () => null : this.#expressions.expression()
      this.#endOfStatement()
      return [(scope) => ({ returned: value(scope) })]
    }
    const statements: Statement[] = []
    const declares = tokens.take('var')
    do statements.push(declares ? this.#assignment() : this.#simple())
    while (declares && tokens.take(','))
    this.#endOfStatement()
    return statements
  }

  #simple(): Statement {
    if (this.#tokens.is('=', 1)) return this.#assignment()
    const value = this.#expressions.expression()
    return (scope) => void value(scope)
  }

  #assignment(): Statement {
    const name = this.#tokens.name()
    this.#tokens.expect('=')
    const value = this.#expressions.expression()
    return (scope) => void scope.variables.set(name, value(scope))
  }

  #endOfStatement(): void {
    if (!this.#tokens.isAtEnd) this.#tokens.expect(';')
  }
}
