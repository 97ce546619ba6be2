/** How many SMS a text takes, and in which coding: GSM 03.38 when all of it can be written so, else UCS-2. */

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** these take two septets */
const extended = '\f^{}\\[~]|€'
const basicSet = new Set(basic)
const extendedSet = new Set(extended)

/** septets, or UCS-2 units: of a message of one part, and of each of several, which carry a header too */
const room = { gsm: { single: 160, each: 153 }, ucs2: { single: 70, each: 67 } }

export interface SmsMeasure {
  readonly encoding: 'gsm' | 'ucs2'
  readonly parts: number
  /** septets or UCS-2 units left in the last part */
  readonly left: number
}

export function measureSms(text: string): SmsMeasure {
  const signs = [...text]
  const isGsm = signs.every((sign) => basicSet.has(sign) || extendedSet.has(sign))
  const encoding = isGsm ? 'gsm' : 'ucs2'
  const { single, each } = room[encoding]
  const sizeOf = (sign: string) => (isGsm ? (extendedSet.has(sign) ? 2 : 1) : sign.length)

  let total = 0
  let parts = 1
  let inPart = 0
  for (const sign of signs) {
    const size = sizeOf(sign)
    total += size
    // neither an escape nor a surrogate pair is torn apart
    if (inPart + size > each) {
      parts += 1
      inPart = 0
    }
    inPart += size
  }
  return total <= single ? { encoding, parts: 1, left: single - total } : { encoding, parts, left: each - inPart }
}
