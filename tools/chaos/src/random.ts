/** Random numbers that a seed decides: the same seed, the same run, as far as the machine allows. */
export interface Random {
  /** 0 ≤ x < 1 */
  next(): number
  /** a whole number, from ≤ x ≤ to */
  between(from: number, to: number): number
  pick<T>(list: readonly T[]): T
  chance(share: number): boolean
  /** A source of its own for one purpose: what that purpose draws does not shift what others draw. */
  fork(purpose: string): Random
}

/** 32 bits of FNV-1a over the text: spreads names that differ in one letter */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

/** splitmix32 */
export function seededRandom(seed: string): Random {
  let state = hash(seed)
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    between,
    pick: <T>(list: readonly T[]) => list[between(0, list.length - 1)] as T,
    chance: (share) => next() < share,
    fork: (purpose) => seededRandom(`${seed}/${purpose}`),
  }
}
