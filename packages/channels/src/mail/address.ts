/** dot-atom of RFC 5322: nothing in it could end a header or an SMTP command */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domainName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/
const maxLocalLength = 64
const maxLength = 254

/**
 * The stored form: lower case, a domain in other letters as ASCII (RFC 5891). The part before the @ is lowered as well: no mail
 * system in use tells its cases apart, and nobody should hold another's mailbox by another spelling.
 */
export function normaliseMailAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(0, at)).toLowerCase()
  const domain = asciiDomain(text.slice(at + 1))
  if (!localPart.test(local) || local.length > maxLocalLength || !domain) return undefined
  const address = `${local}@${domain}`
  return address.length <= maxLength ? address : undefined
}

function asciiDomain(text: string): string | undefined {
  if (!/^[\p{L}\p{N}\p{M}.-]+$/u.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const { hostname } = new URL(`http://${text}`)
  return domainName.test(hostname) ? hostname : undefined
}
