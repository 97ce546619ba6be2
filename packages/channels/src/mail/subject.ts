const maxSubjectLength = 70

/** The first line with anything in it, cut at a word. */
export function subjectOf(text: string): string {
  const line = text
    .split(/[\r\n]+/)
    .map((each) => each.replace(/\p{Cc}+/gu, ' ').trim())
    .find((each) => each !== '')
  if (line === undefined || line.length <= maxSubjectLength) return line ?? ''
  const cut = line.slice(0, maxSubjectLength).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.replace(/\s+\S*$/, '')}…`
}
