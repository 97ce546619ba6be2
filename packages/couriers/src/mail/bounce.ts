/** Reads a bounce: a delivery status notification (RFC 3464) about one recipient. */

/** @returns why it did not arrive; undefined when this does not say that a delivery has failed for good */
export function failureIn(message: string): string | undefined {
  // header fields may go on over several lines
  const lines = message.replace(/\r\n/g, '\n').replace(/\n[ \t]+/g, ' ')
  if (fieldOf(lines, 'Action')?.toLowerCase() !== 'failed') return undefined
  const status = fieldOf(lines, 'Status')
  const diagnostic = fieldOf(lines, 'Diagnostic-Code')?.replace(/^smtp;\s*/i, '')
  return [status, diagnostic].filter(Boolean).join(': ') || 'returned without a reason'
}

const fieldOf = (lines: string, name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(lines)?.[1]?.trim()
