/**
 * VKScript as far as sending needs it: `var` and assignment, `return`, literals, arrays, objects, `Args`, member access,
 * `+` and `-`, and calls of API methods. Compiled to closures before anything runs, so that a script with a mistake does
 * nothing at all; never handed to JavaScript's own eval.
 * Language: https://dev.vk.com/method/execute
 */

import { VkError } from './vk-error.ts'
import { tokenize } from './vk-script-tokens.ts'
import { add, memberOf } from './vk-script-values.ts'

export type ApiCall = (method: string, params: Record<string, unknown>) => unknown
export type Script = (args: ReadonlyMap<string, string>, call: ApiCall) => unknown

interface Scope {
  readonly args: ReadonlyMap<string, string>
  readonly call: ApiCall
  readonly variables: Map<string, unknown>
}
type Expression = (scope: Scope) => unknown
type Statement = (scope: Scope) => { returned: unknown } | undefined

const maxDepth = 64

/** @throws VkError 12 when the script is not VKScript, or more of it than is spoken here */
export function compile(code: string): Script {
  const statements = new Parser(code).program()
  return (args, call) => {
    const scope: Scope = { args, call, variables: new Map() }
    for (const statement of statements) {
      const end = statement(scope)
      if (end) return end.returned
    }
    return null
  }
}

class Parser {
  readonly #tokens
  #at = 0
  #depth = 0

  constructor(code: string) {
    this.#tokens = tokenize(code)
  }

  program(): Statement[] {
    const statements: Statement[] = []
    while (this.#at < this.#tokens.length) statements.push(...this.#statement())
    return statements
  }

  #statement(): Statement[] {
    if (this.#take(';')) return []
    if (this.#take('return')) {
      const value = this.#is(';') || this.#at === this.#tokens.length ? () => null : this.#expression()
      this.#endOfStatement()
      return [(scope) => ({ returned: value(scope) })]
    }
    const statements: Statement[] = []
    const declares = this.#take('var')
    do statements.push(declares ? this.#assignment() : this.#simple())
    while (declares && this.#take(','))
    this.#endOfStatement()
    return statements
  }

  #simple(): Statement {
    const next = this.#tokens[this.#at + 1]
    if (next?.kind === 'sign' && next.text === '=') return this.#assignment()
    const value = this.#expression()
    return (scope) => void value(scope)
  }

  #assignment(): Statement {
    const name = this.#name()
    this.#expect('=')
    const value = this.#expression()
    return (scope) => void scope.variables.set(name, value(scope))
  }

  #expression(): Expression {
    if (++this.#depth > maxDepth) throw new VkError(12, 'nested too deeply')
    let left = this.#unary()
    for (;;) {
      const before = left
      if (this.#take('+')) {
        const right = this.#unary()
        left = (scope) => add(before(scope), right(scope))
      } else if (this.#take('-')) {
        const right = this.#unary()
        left = (scope) => Number(before(scope)) - Number(right(scope))
      } else break
    }
    this.#depth--
    return left
  }

  #unary(): Expression {
    if (!this.#take('-')) return this.#members(this.#primary())
    const value = this.#members(this.#primary())
    return (scope) => -Number(value(scope))
  }

  #members(start: Expression): Expression {
    let value = start
    for (;;) {
      const object = value
      if (this.#take('.')) {
        const name = this.#name()
        value = (scope) => memberOf(object(scope), name)
      } else if (this.#take('[')) {
        const index = this.#expression()
        this.#expect(']')
        value = (scope) => memberOf(object(scope), index(scope))
      } else return value
    }
  }

  #primary(): Expression {
    const token = this.#tokens[this.#at]
    if (!token) throw new VkError(12, 'unexpected end of code')
    if (token.kind === 'value') {
      this.#at++
      return () => token.value
    }
    if (this.#take('(')) {
      const inner = this.#expression()
      this.#expect(')')
      return inner
    }
    if (this.#take('[')) return this.#array()
    if (this.#take('{')) return this.#object()
    if (this.#take('API')) return this.#apiCall()
    if (this.#take('Args')) return (scope) => scope.args
    const name = this.#name()
    return (scope) => {
      if (!scope.variables.has(name)) throw new VkError(13, `unknown variable ${name}`)
      return scope.variables.get(name)
    }
  }

  #apiCall(): Expression {
    this.#expect('.')
    const group = this.#name()
    this.#expect('.')
    const method = `${group}.${this.#name()}`
    this.#expect('(')
    const params = this.#is(')') ? () => ({}) : this.#expression()
    this.#expect(')')
    return (scope) => {
      const given = params(scope)
      if (typeof given !== 'object' || given === null) throw new VkError(13, `${method} takes an object`)
      return scope.call(method, given as Record<string, unknown>)
    }
  }

  #array(): Expression {
    const items: Expression[] = []
    while (!this.#take(']')) {
      items.push(this.#expression())
      if (!this.#is(']')) this.#expect(',')
    }
    return (scope) => items.map((item) => item(scope))
  }

  #object(): Expression {
    const entries: [string, Expression][] = []
    while (!this.#take('}')) {
      const key = this.#tokens[this.#at]
      const name = key?.kind === 'value' ? String(key.value) : undefined
      if (name !== undefined) this.#at++
      const property = name ?? this.#name()
      this.#expect(':')
      entries.push([property, this.#expression()])
      if (!this.#is('}')) this.#expect(',')
    }
    return (scope) => {
      const object: Record<string, unknown> = Object.create(null)
      for (const [name, value] of entries) object[name] = value(scope)
      return object
    }
  }

  #is(text: string): boolean {
    const token = this.#tokens[this.#at]
    return token !== undefined && token.kind !== 'value' && token.text === text
  }

  #take(text: string): boolean {
    const found = this.#is(text)
    if (found) this.#at++
    return found
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new VkError(12, `"${text}" expected${this.#where()}`)
  }

  #endOfStatement(): void {
    if (this.#at < this.#tokens.length) this.#expect(';')
  }

  #name(): string {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'word') throw new VkError(12, `a name expected${this.#where()}`)
    this.#at++
    return token.text
  }

  #where(): string {
    const token = this.#tokens[this.#at]
    return token ? ` at position ${token.position}` : ' at the end'
  }
}
