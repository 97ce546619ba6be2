/**
 * The header of a Lua script, and whether the body keeps to it:
 *
 *   --[[ <name>: one sentence
 *   KEYS[1] <template>  <type>
 *   ARGV[1] <name>, <units>        or ARGV[2..] for all that follow
 *   Computed: <template> <type>; …             only of a script that makes names of keys itself
 *   Returns: …   Errors: …   Replay: …        one line each
 *   Flags: allow-oom                          only of a script that frees memory, or takes none: it runs where memory is full
 *   ]]
 */
const types = ['string', 'hash', 'set', 'zset', 'stream', 'list']

/** @returns undefined when the text does not begin with a header */
export function parseHeader(text) {
  const match = /^--\[\[ ([\w-]+): (\S.*)\n([\s\S]*?)\n?\]\]/.exec(text)
  if (!match) return undefined
  const lines = match[3].split('\n')
  const line = (label) => lines.find((each) => each.startsWith(`${label}: `))?.slice(label.length + 2)
  return {
    name: match[1],
    keys: declared(lines, 'KEYS'),
    arguments: declared(lines, 'ARGV'),
    computed: line('Computed') ?? '',
    returns: line('Returns') ?? '',
    errors: line('Errors') ?? '',
    replay: line('Replay') ?? '',
  }
}

function declared(lines, table) {
  const pattern = new RegExp(`^${table}\\[(\\d+)(\\.\\.)?\\] *(.*)$`)
  return lines
    .map((line) => pattern.exec(line))
    .filter(Boolean)
    .map(([, index, open, text]) => ({ index: Number(index), open: open !== undefined, text: text.trim() }))
}

/** @param {string} body the script without comments and strings */
export function declarationFaults(header, body) {
  const faults = []
  for (const label of ['returns', 'errors', 'replay'])
    if (!header[label]) faults.push(`its header has no line "${label[0].toUpperCase()}${label.slice(1)}: …"`)
  faults.push(...tableFaults('KEYS', header.keys, body), ...tableFaults('ARGV', header.arguments, body))
  for (const { index, text } of header.keys)
    if (!types.includes(/ {2,}(\w+)/.exec(text)?.[1]))
      faults.push(`KEYS[${index}] does not say its type (${types.join(', ')})`)
  const tags = new Set(header.keys.flatMap(({ text }) => text.match(/\{[^}]*\}/g) ?? ['none']))
  if (tags.size > 1) faults.push(`its keys carry different hash tags: ${[...tags].join(', ')}`)
  return [...faults, ...unreadFaults(body)]
}

function tableFaults(table, entries, body) {
  const faults = []
  for (const [position, { index, open, text }] of entries.entries()) {
    if (index !== position + 1) faults.push(`${table}[${index}] is declared where ${table}[${position + 1}] is due`)
    if (open && position !== entries.length - 1) faults.push(`${table}[${index}..] is not the last one`)
    if (text === '') faults.push(`${table}[${index}] is not described`)
  }
  const open = entries.find((entry) => entry.open)
  const uses = [...body.matchAll(new RegExp(`\\b${table}\\b(?:\\[(\\d+)\\])?`, 'g'))]
  const literal = new Set(uses.filter(([, index]) => index).map(([, index]) => Number(index)))
  const computed = uses.some(([, index]) => !index)
  for (const index of literal)
    if (!entries.some((entry) => entry.index === index || (entry.open && index >= entry.index)))
      faults.push(`uses ${table}[${index}] without declaring it`)
  for (const { index, open: isOpen } of entries)
    if (!isOpen && !literal.has(index)) faults.push(`declares ${table}[${index}] and never uses it`)
  if (computed && !open) faults.push(`uses ${table} by a computed index without declaring ${table}[n..]`)
  if (open && !computed && ![...literal].some((index) => index >= open.index))
    faults.push(`declares ${table}[${open.index}..] and never uses it`)
  return faults
}

/** A key or an argument that gets a name which is then never read is not used either. */
function unreadFaults(body) {
  const faults = []
  for (const [, names, values] of body.matchAll(/^local ([\w, ]+?) = (.*(?:KEYS|ARGV)\[.*)$/gm)) {
    const named = names.split(/, */)
    if (named.length !== values.split(',').length) continue
    for (const name of named)
      if ([...body.matchAll(new RegExp(`(?<![\\w.])${name}\\b`, 'g'))].length < 2)
        faults.push(`names "${name}" and never reads it`)
  }
  return faults
}
