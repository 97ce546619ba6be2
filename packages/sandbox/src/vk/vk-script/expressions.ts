/** Compiles the expressions of VKScript to closures. */
import { VkError } from '../vk-error.ts'
import type { TokenReader } from './token-reader.ts'
import { add, memberOf } from './values.ts'

export type ApiCall = (method: string, params: Record<string, unknown>) => unknown

/** What a script can see while it runs. */
export interface Scope {
  readonly args: ReadonlyMap<string, string>
  readonly call: ApiCall
  readonly variables: Map<string, unknown>
}

export type Expression = (scope: Scope) => unknown

const maxDepth = 64

export class ExpressionParser {
  readonly #tokens: TokenReader
  #depth = 0

  constructor(tokens: TokenReader) {
    this.#tokens = tokens
  }

  expression(): Expression {
    if (++this.#depth > maxDepth) throw new VkError(12, 'nested too deeply')
    let left = this.#unary()
    for (;;) {
      const before = left
      if (this.#tokens.take('+')) {
        const right = this.#unary()
        left = (scope) => add(before(scope), right(scope))
      } else if (this.#tokens.take('-')) {
        const right = this.#unary()
        left = (scope) => Number(before(scope)) - Number(right(scope))
      } else break
    }
    this.#depth--
    return left
  }

  #unary(): Expression {
    if (!this.#tokens.take('-')) return this.#members(this.#primary())
    const value = this.#members(this.#primary())
    return (scope) => -Number(value(scope))
  }

  #members(start: Expression): Expression {
    let value = start
    for (;;) {
      const object = value
      if (this.#tokens.take('.')) {
        const name = this.#tokens.name()
        value = (scope) => memberOf(object(scope), name)
      } else if (this.#tokens.take('[')) {
        const index = this.expression()
        this.#tokens.expect(']')
        value = (scope) => memberOf(object(scope), index(scope))
      } else return value
    }
  }

  #primary(): Expression {
    const tokens = this.#tokens
    if (tokens.isAtEnd) throw new VkError(12, 'unexpected end of code')
    const literal = tokens.takeValue()
    if (literal) return () => literal.value
    if (tokens.take('(')) {
      const inner = this.expression()
      tokens.expect(')')
      return inner
    }
    if (tokens.take('[')) return this.#array()
    if (tokens.take('{')) return this.#object()
    if (tokens.take('API')) return this.#apiCall()
    if (tokens.take('Args')) return (scope) => scope.args
    return variable(tokens.name())
  }

  #apiCall(): Expression {
    const tokens = this.#tokens
    tokens.expect('.')
    const group = tokens.name()
    tokens.expect('.')
    const method = `${group}.${tokens.name()}`
    tokens.expect('(')
    const params = tokens.is(')') ? () => ({}) : this.expression()
    tokens.expect(')')
    return (scope) => {
      const given = params(scope)
      if (typeof given !== 'object' || given === null) throw new VkError(13, `${method} takes an object`)
      return scope.call(method, given as Record<string, unknown>)
    }
  }

  #array(): Expression {
    const items: Expression[] = []
    while (!this.#tokens.take(']')) {
      items.push(this.expression())
      if (!this.#tokens.is(']')) this.#tokens.expect(',')
    }
    return (scope) => items.map((item) => item(scope))
  }

  #object(): Expression {
    const entries: [string, Expression][] = []
    while (!this.#tokens.take('}')) {
      const literal = this.#tokens.takeValue()
      const property = literal ? String(literal.value) : this.#tokens.name()
      this.#tokens.expect(':')
      entries.push([property, this.expression()])
      if (!this.#tokens.is('}')) this.#tokens.expect(',')
    }
    return (scope) => {
      const object: Record<string, unknown> = Object.create(null)
      for (const [name, value] of entries) object[name] = value(scope)
      return object
    }
  }
}

function variable(name: string): Expression {
  return ({ variables }) => {
    if (!variables.has(name)) throw new VkError(13, `unknown variable ${name}`)
    return variables.get(name)
  }
}
