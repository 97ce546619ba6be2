/** so long a one-time code is good */
export const codeLifeMs = 600_000

const codeLength = 8
/** of one that is good for days: as hard to guess in all of them */
export const lastingCodeLength = 12

/** Whether these may be the digits of a code. */
export const isCode = (digits: string) =>
  /^\d+$/.test(digits) && (digits.length === codeLength || digits.length === lastingCodeLength)
