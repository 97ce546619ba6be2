/** VK's errors that say the token is of no use: wrong or expired, without the right to messages, of another kind. */
const codes: ReadonlySet<number> = new Set([5, 15, 27, 28])

export const refusesToken = (code: number): boolean => codes.has(code)
