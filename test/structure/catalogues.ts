/** What people are told, read from the sources of the catalogues: each text of each language, under its name. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { filesOf, root } from './sources.ts'

export interface Text {
  /** `packages/web/src/texts/en.ts: message.title` */
  readonly where: string
  /** with `…` for what is put into it */
  readonly text: string
}

export interface Catalogue {
  readonly file: string
  readonly language: 'ru' | 'en'
  /** of every text, such as `message.title`: the same in both languages */
  readonly names: readonly string[]
  readonly texts: readonly Text[]
}

/** of the syntax tree: https://github.com/estree/estree */
interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

const languages: Readonly<Record<string, 'ru' | 'en'>> = { ru: 'ru', russian: 'ru', en: 'en', english: 'en' }
/** what is in a file that has its language in its own name */
const named = ['problems', 'composing']

/** Of all packages: every object or function that has the name of a language, or is in a file that has. */
export function catalogues(): Catalogue[] {
  return filesOf('packages')
    .filter((file) => /^packages\/[^/]+\/src\//.test(file))
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      // where nobody is told anything in Russian there is no catalogue
      if (!/\p{Script=Cyrillic}/u.test(source) && !/\.en\.ts$|\/en\.ts$/.test(file)) return []
      const { body } = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file)
      return declarationsIn(body as unknown as readonly Node[]).flatMap((each) => inDeclaration(file, each))
    })
}

interface Named {
  readonly name: string
  readonly value: Node
}

const declarationsIn = (body: readonly Node[]): Named[] =>
  body
    .map((each) => (each.type === 'ExportNamedDeclaration' ? (each.declaration as Node | null) : each))
    .flatMap((each) => (each?.type === 'VariableDeclaration' ? (each.declarations as Node[]) : []))
    .flatMap(({ id, init }) => (init ? [{ name: nameOf(id as Node), value: bare(init as Node) }] : []))

/** The value itself, or what is in it, at whatever depth. */
function inDeclaration(file: string, { name, value }: Named): Catalogue[] {
  const ofFile = named.includes(name) ? /\.(ru|en)\.ts$/.exec(file)?.[1] : undefined
  const language = languages[name] ?? languages[ofFile ?? '']
  if (language === undefined) return fieldsOf(value).flatMap((each) => inDeclaration(file, each))
  const found = { file, language, names: [] as string[], texts: [] as Text[] }
  read(value, '', found)
  return found.texts.length > 0 ? [found] : []
}

const fieldsOf = (value: Node): Named[] =>
  value.type === 'ObjectExpression'
    ? (value.properties as Node[])
        .filter(({ type }) => type === 'Property')
        .map(({ key, value }) => ({ name: nameOf(key as Node), value: bare(value as Node) }))
    : []

const nameOf = ({ name, value }: Node) => String(name ?? value)

/** Everything said in a value, under the name that leads there. */
function read(value: Node, name: string, found: { file: string; names: string[]; texts: Text[] }): void {
  const body = value.type === 'ArrowFunctionExpression' ? bare(value.body as Node) : value
  const fields = fieldsOf(body)
  if (fields.length === 0) {
    found.names.push(name)
    collect(body, `${found.file}: ${name}`, found.texts)
  }
  for (const field of fields) read(field.value, name === '' ? field.name : `${name}.${field.name}`, found)
}

/** The literals in it, whatever decides between them; none that something is compared with or looked up by. */
function collect(node: Node, where: string, texts: Text[]): void {
  if (node.type === 'Literal' && typeof node.value === 'string') texts.push({ where, text: node.value })
  if (node.type === 'TemplateLiteral') {
    const quasis = node.quasis as { value: { cooked: string } }[]
    texts.push({ where, text: quasis.map(({ value }) => value.cooked).join('…') })
  }
  if (node.type.startsWith('TS') || (node.type === 'BinaryExpression' && node.operator === '===')) return
  for (const [field, child] of Object.entries(node)) {
    if (field === 'key' || field === 'property' || (field === 'test' && node.type === 'SwitchCase')) continue
    for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) collect(each, where, texts)
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function bare(value: Node): Node {
  return ['TSAsExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression'].includes(value.type)
    ? bare(value.expression as Node)
    : value
}
