/** How a text travels by SMS: in one part, or in several that the phone puts together again. */

export interface SmsParts {
  /** GSM 03.38 where the whole text can be written in it, else UCS-2 */
  readonly encoding: 'gsm' | 'ucs2'
  readonly parts: readonly string[]
  /** septets or UCS-2 units left in the last part */
  readonly left: number
}

/** the alphabet of GSM 03.38, and the characters that take two of its septets */
const gsm = /^[\n\f\r -_a-~¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùüΓΔΘΛΞΠΣΦΨΩ€]*$/
const extended = '\f[\\]^{|}~€'
/** what one part holds, and each of several, which carry how they belong together */
const room = { gsm: [160, 153], ucs2: [70, 67] } as const

export function smsPartsOf(text: string): SmsParts {
  const encoding = gsm.test(text) ? 'gsm' : 'ucs2'
  const [alone, ofSeveral] = room[encoding]
  const starts = [0]
  let [at, used, all] = [0, 0, 0]
  for (const character of text) {
    const size = encoding === 'gsm' && extended.includes(character) ? 2 : character.length
    if (used + size > ofSeveral) {
      starts.push(at)
      used = 0
    }
    at += character.length
    used += size
    all += size
  }
  if (all <= alone) return { encoding, parts: [text], left: alone - all }
  const parts = starts.map((start, index) => text.slice(start, starts[index + 1]))
  return { encoding, parts, left: ofSeveral - used }
}
