/** A TL schema (core.telegram.org/mtproto/TL): definitions by constructor id, for reading, and by name, for writing. */

export type Type =
  | { readonly kind: 'int' | 'long' | 'double' | 'int128' | 'int256' | 'string' | 'bytes' | 'Bool' | 'true' | 'flags' }
  | { readonly kind: 'object' }
  /** a constructor without its id in front */
  | { readonly kind: 'bare'; readonly name: string }
  | { readonly kind: 'vector'; readonly boxed: boolean; readonly of: Type }

export interface Param {
  readonly name: string
  readonly type: Type
  /** there only when this bit of that flags field is set */
  readonly flag?: { readonly field: string; readonly bit: number }
}

export interface Definition {
  readonly name: string
  readonly id: number
  readonly params: readonly Param[]
}

export interface Schema {
  readonly byId: ReadonlyMap<number, Definition>
  readonly byName: ReadonlyMap<string, Definition>
}

const scalars = new Set(['int', 'long', 'double', 'int128', 'int256', 'string', 'bytes', 'Bool', 'true'])

function parseType(text: string): Type {
  if (text === '#') return { kind: 'flags' }
  const vector = /^([Vv])ector<(.+)>$/.exec(text)
  if (vector) return { kind: 'vector', boxed: vector[1] === 'V', of: parseType(vector[2] as string) }
  if (scalars.has(text)) return { kind: text } as Type
  const last = text.slice(text.lastIndexOf('.') + 1)
  return /^[a-z]/.test(last) ? { kind: 'bare', name: text } : { kind: 'object' }
}

function parseParam(text: string): Param {
  const colon = text.indexOf(':')
  const name = text.slice(0, colon)
  const type = text.slice(colon + 1)
  const conditional = /^(\w+)\.(\d+)\?(.+)$/.exec(type)
  if (!conditional) return { name, type: parseType(type) }
  const [, field, bit, inner] = conditional as unknown as [string, string, string, string]
  return { name, type: parseType(inner), flag: { field, bit: Number(bit) } }
}

/** Reads `name#id param:type … = Result;` lines; anything else (comments, section marks, lines without an id) is passed over. */
export function parseDefinitions(text: string): Definition[] {
  const definitions: Definition[] = []
  for (const line of text.split('\n')) {
    const match = /^\s*([\w.]+)#([0-9a-f]+)\s*(.*?)\s*=\s*[^;]+;/.exec(line)
    if (!match || match[1] === 'vector') continue
    const [, name, id, params] = match as unknown as [string, string, string, string]
    definitions.push({
      name,
      id: Number.parseInt(id, 16),
      params: params
        .split(/\s+/)
        .filter((param) => param.includes(':') && !param.startsWith('{'))
        .map(parseParam),
    })
  }
  return definitions
}

/** Later definitions of a name are the ones written; all of them can be read. */
export function createSchema(definitions: readonly Definition[]): Schema {
  return {
    byId: new Map(definitions.map((definition) => [definition.id, definition])),
    byName: new Map(definitions.map((definition) => [definition.name, definition])),
  }
}
