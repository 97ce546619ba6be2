import { VkError } from '../vk-error.ts'
import { type Token, tokenize } from './tokens.ts'

/** Reads the tokens of a script one after the other. Every unexpected one is a VkError 12 that says where it is. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(code: string) {
    this.#tokens = tokenize(code)
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  /** Whether this sign or word is next, `ahead` tokens from here. */
  is(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead]
    return token !== undefined && token.kind !== 'value' && token.text === text
  }

  /** Reads this sign or word when it is next. @returns whether it was */
  take(text: string): boolean {
    const found = this.is(text)
    if (found) this.#at++
    return found
  }

  expect(text: string): void {
    if (!this.take(text)) throw new VkError(12, `"${text}" expected${this.#where()}`)
  }

  /** Reads a number, a string or a constant when one is next. */
  takeValue(): Extract<Token, { kind: 'value' }> | undefined {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'value') return undefined
    this.#at++
    return token
  }

  name(): string {
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
