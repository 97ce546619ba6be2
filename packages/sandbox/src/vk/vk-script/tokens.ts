import { VkError } from '../vk-error.ts'

export type Token =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null; readonly position: number }
  | { readonly kind: 'word' | 'sign'; readonly text: string; readonly position: number }

const space = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
/** one token after what separates it from the one before: a number, a string, a word or a sign */
const token =
  /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*(?:(\d+(?:\.\d+)?)|("[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*')|([A-Za-z_$][\w$]*)|([[\]{}().,:;=+-]))/y
const constants: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

/** @throws VkError 12 at the first character that begins nothing known */
export function tokenize(code: string): Token[] {
  const tokens: Token[] = []
  token.lastIndex = 0
  for (;;) {
    const from = token.lastIndex
    const match = token.exec(code)
    if (!match) {
      space.lastIndex = from
      const position = from + (space.exec(code)?.[0].length ?? 0)
      if (position === code.length) return tokens
      throw new VkError(12, `unexpected "${code.charAt(position)}" at position ${position}`)
    }
    const [, number, string, word, sign] = match
    const text = number ?? string ?? word ?? (sign as string)
    const position = token.lastIndex - text.length
    if (number !== undefined) tokens.push({ kind: 'value', value: Number(number), position })
    else if (string !== undefined) tokens.push({ kind: 'value', value: unquote(string), position })
    else if (word !== undefined && Object.hasOwn(constants, word))
      tokens.push({ kind: 'value', value: constants[word] ?? null, position })
    else tokens.push({ kind: word === undefined ? 'sign' : 'word', text, position })
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
