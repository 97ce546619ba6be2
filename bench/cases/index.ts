/** All cases, in the order `all` takes them: those that empty Redis first, those that share a town of people after them. */
import type { Case } from '../case.ts'
import { accept } from './accept.ts'
import { lateness } from './lateness.ts'
import { memory } from './memory.ts'

export const cases: readonly Case[] = [accept, memory, lateness]
