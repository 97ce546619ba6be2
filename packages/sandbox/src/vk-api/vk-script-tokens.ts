import { VkError } from './vk-error.ts'

export type Token =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null; readonly position: number }
  | { readonly kind: 'word' | 'sign'; readonly text: string; readonly position: number }

const space = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const number = /\d+(?:\.\d+)?/y
const string = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'/y
const word = /[A-Za-z_$][\w$]*/y
const sign = /[[\]{}().,:;=+-]/y
const constants: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

/** @throws VkError 12 at the first character that begins nothing known */
export function tokenize(code: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position
    return pattern.exec(code)?.[0]
  }
  for (;;) {
    position += match(space)?.length ?? 0
    if (position === code.length) return tokens
    const [token, text] = next()
    tokens.push(token)
    position += text.length
  }

  function next(): [Token, string] {
    let text = match(number)
    if (text !== undefined) return [{ kind: 'value', value: Number(text), position }, text]
    text = match(string)
    if (text !== undefined) return [{ kind: 'value', value: unquote(text), position }, text]
    text = match(word)
    if (text !== undefined && Object.hasOwn(constants, text))
      return [{ kind: 'value', value: constants[text] ?? null, position }, text]
    if (text !== undefined) return [{ kind: 'word', text, position }, text]
    text = match(sign)
    if (text !== undefined) return [{ kind: 'sign', text, position }, text]
    throw new VkError(12, `unexpected "${code.charAt(position)}" at position ${position}`)
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

function unquote(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, hex?: string, escaped?: string) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (escapes[escaped ?? ''] ?? escaped ?? ''),
    )
}
