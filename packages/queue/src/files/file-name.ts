/** What a file is called by whoever opens it: what was given, without what a file system or a channel takes for something else. */

const maxLength = 100
/** of paths, of markup, and of mentions in VK; what cannot be seen, or turns the reading round */
const forbidden = /[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*[\]@]/gu

/** @param extensions of its type, the usual one first: a name that says something else gets it at the end */
export function cleanName(given: string, [usual = '', ...others]: readonly string[]): string {
  const last = given.normalize('NFC').replaceAll('\\', '/').split('/').at(-1) ?? ''
  const name = last
    .replace(forbidden, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const dot = name.lastIndexOf('.')
  const isRight = dot > 0 && [usual, ...others].includes(name.slice(dot + 1).toLowerCase())
  const stem = (isRight ? name.slice(0, dot) : name) || 'file'
  const end = isRight ? name.slice(dot) : `.${usual}`
  return `${[...stem].slice(0, maxLength - end.length).join('')}${end}`
}
