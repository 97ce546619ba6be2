import { idsOf } from '@courier-fleet/store'
import type { Directory, Principal } from '../src/directory.ts'

/** The people that one message would be for. @throws Problem when it is refused */
export async function expand(directory: Directory, tokens: readonly string[], by: Principal): Promise<string[]> {
  const [people] = await directory.expandMany([tokens], by)
  if (people === undefined || people instanceof Error) throw people
  return idsOf(people)
}
