/** All cases, in the order `all` takes them: those that empty Redis first, `cluster` before them for its people lie otherwise, those that share a population after. */
import type { Case } from '../case.ts'
import { accept } from './accept.ts'
import { burst } from './burst.ts'
import { cluster } from './cluster.ts'
import { costs } from './costs.ts'
import { fanout } from './fanout.ts'
import { fleet } from './fleet.ts'
import { held } from './held.ts'
import { http } from './http.ts'
import { idle } from './idle.ts'
import { lateness } from './lateness.ts'
import { memory } from './memory.ts'
import { merge } from './merge.ts'
import { read } from './read.ts'
import { rules } from './rules.ts'
import { start } from './start.ts'
import { stats } from './stats.ts'
import { weights } from './weights.ts'

export const cases: readonly Case[] = [
  cluster,
  accept,
  memory,
  held,
  stats,
  idle,
  start,
  lateness,
  burst,
  merge,
  fanout,
  read,
  rules,
  http,
  weights,
  fleet,
  costs,
]
