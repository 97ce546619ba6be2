/**
 * Which Markdown files of this repository are pages of the site, where each stands, and where a link of one leads. No library: a
 * test checks all links by this, too, and the site need not be installed for it.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** what RESULTS.md is put together from */
const fragments = join(root, 'tools/bench/notes')

/** @returns every one of them, from the root, in order */
export function listPages(folder = root) {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => ({ entry, path: join(folder, entry.name) }))
    .filter(({ entry: { name }, path }) => !/^(\.|(node_modules|dist|coverage)$)/.test(name) && path !== fragments)
    .flatMap(({ entry, path }) => {
      if (entry.isDirectory()) return listPages(path)
      return path.endsWith('.md') ? [relative(root, path)] : []
    })
    .sort()
}

/** @returns the file's place on the site: `docs/ru/teacher.md` is `ru/teacher.md`, `lua/README.md` is `lua/index.md` */
export function pageOf(file) {
  if (file === 'README.md') return 'readme.md'
  return file.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md')
}

/** @returns its address on the site: `/ru/teacher`, `/lua/` */
export const addressOf = (file) =>
  `/${pageOf(file)
    .replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '')}`

/** @returns what the page is called: its first heading, as text */
export const titleOf = (file) => textOf(/^# +(.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? file)

/** The anchor of a heading, as GitHub makes it. What is an anchor already stays so. */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/**
 * Where a link of a page leads.
 * @param {string} href  as it is written
 * @param {string} from  the file it stands in, from the root
 * @returns {{ file: string, anchor: string | undefined, isPage: boolean, exists: boolean } | undefined} `file` from the root;
 *   undefined for an address elsewhere
 */
export function targetOf(href, from) {
  if (/^[a-z][a-z+.-]*:|^\/\//i.test(href)) return undefined
  const [path, anchor] = decodeURI(href).split('#')
  const file = path === '' ? from : normalize(join(dirname(from), path)).replace(/\/$/, '')
  const isInside = !file.startsWith('..')
  const exists = isInside && existsSync(join(root, file))
  return { file, anchor, isPage: exists && file.endsWith('.md') && statSync(join(root, file)).isFile(), exists }
}

/** @returns the links and pictures of a page, as they are written, without what is shown as code */
export function linksOf(file) {
  return [
    ...withoutCode(readFileSync(join(root, file), 'utf8')).matchAll(/\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g),
  ].map(([, href]) => href)
}

/** @returns the anchors of the headings of a page */
export function anchorsOf(file) {
  const seen = new Map()
  return [...withoutBlocks(readFileSync(join(root, file), 'utf8')).matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)].map(
    ([, heading]) => {
      const anchor = anchorOf(textOf(heading))
      const before = seen.get(anchor) ?? 0
      seen.set(anchor, before + 1)
      return before === 0 ? anchor : `${anchor}-${before}`
    },
  )
}

const withoutBlocks = (markdown) => markdown.replace(/^( *)(```|~~~)[\s\S]*?^ *\2`*$/gm, '')
const withoutCode = (markdown) => withoutBlocks(markdown).replace(/(`+)[^`][\s\S]*?\1/g, '')

/** of a heading or a line */
function textOf(markdown) {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim()
}
