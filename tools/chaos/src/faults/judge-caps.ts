/** What a rule that counts allows when it changes while messages are under way: how many at most at each moment, and how many at least in the end. */

/** As an operator has set it. Until it is used everywhere, the one before it may decide, too. */
export interface Cap {
  readonly n: number
  /** when it was asked for, Unix ms */
  readonly askedMs: number
  /** when every process had said that it uses it; Infinity: not while that was waited for */
  readonly usedMs: number
}

/** Of one person, when everything has settled. */
export interface Had {
  readonly person: string
  /** messages that the stand-ins have accepted for them */
  readonly got: ReadonlySet<number>
  /** what counts for them */
  readonly entries: readonly CountedMessage[]
  /** messages of which nobody knows whether they have them */
  readonly unknown: ReadonlySet<number>
}

export interface CountedMessage {
  readonly message: number
  /** when it was allowed, Unix ms */
  readonly atMs: number
  readonly contested: boolean
}

export interface Bounds {
  /** one after the other; before the first there was no rule */
  readonly caps: readonly Cap[]
  /** a send job decides by the settings it began with: for so long it may have stood still since, ms */
  readonly slackMs: number
  /** from when on so many messages were sent that nobody has fewer than they may; Infinity: that cannot be asked for */
  readonly enoughFromMs: number
}

/** @returns what is wrong, in words */
export function judgeCaps({ person, got, entries, unknown }: Had, bounds: Bounds): string[] {
  const wrong: string[] = []
  const counted = new Map(entries.map((entry) => [entry.message, entry]))
  for (const message of got)
    if (!counted.has(message)) wrong.push(`caps: ${person} got message ${message}, which does not count`)
  const inOrder = [...entries].sort((a, b) => a.atMs - b.atMs)
  for (const [index, { message, atMs }] of inOrder.entries()) {
    const most = mostAt(bounds, atMs)
    if (index >= most)
      wrong.push(
        `caps: ${person} was allowed message ${message} as number ${index + 1}, when there were ${most} at most`,
      )
  }
  const most = mostEver(bounds)
  if (got.size > most) wrong.push(`caps: ${person} got ${got.size} messages, and may have had ${most}`)
  const contested = entries.filter((entry) => entry.contested && !got.has(entry.message))
  const doubtful = new Set([...contested.map(({ message }) => message), ...unknown].filter((each) => !got.has(each)))
  const least = leastFrom(bounds)
  if (got.size + doubtful.size < least)
    wrong.push(
      `caps: ${person} got ${got.size} of ${least}; of ${doubtful.size} more nobody knows, or they are contested`,
    )
  return wrong
}

const noLimit = Number.POSITIVE_INFINITY

/** The most that any process may have gone by then. */
export function mostAt({ caps, slackMs }: Bounds, atMs: number): number {
  // nothing was sent before the first was used
  const alone = caps.findLastIndex(({ usedMs }, index) => usedMs + (index === 0 ? 0 : slackMs) <= atMs)
  const possible = caps.filter(({ askedMs }, index) => index >= alone && askedMs <= atMs)
  return alone < 0 ? noLimit : Math.max(...possible.map(({ n }) => n))
}

function mostEver({ caps }: Bounds): number {
  return Number.isFinite(caps[0]?.usedMs) ? Math.max(...caps.map(({ n }) => n)) : noLimit
}

/** The least that any process may have gone by for what was sent last; 0 where nothing can be said. */
function leastFrom({ caps, enoughFromMs }: Bounds): number {
  const alone = caps.findLastIndex(({ usedMs }) => usedMs <= enoughFromMs)
  return Number.isFinite(enoughFromMs) && alone >= 0 ? Math.min(...caps.slice(alone).map(({ n }) => n)) : 0
}
