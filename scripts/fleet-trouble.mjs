/**
 * The trouble that the wall of phones may make for a fleet of `npm start` which sends to nobody real: a courier is killed, Redis answers
 * nobody for a while. Asked by the sandbox over the channel between parent and child: nothing listens for it, it needs no key, and
 * a sandbox that somebody else has started has nobody to ask.
 */
const redisAwayMs = 5000
const answerWithinMs = 2500

/**
 * @param {{
 *   fleet: Pick<ReturnType<typeof import('./fleet.mjs').createFleet>, 'names' | 'pidOf'>,
 *   channels: readonly string[],
 *   redis?: { call(...command: (string | number)[]): Promise<unknown> },
 *   readChannels: (signal: AbortSignal) => Promise<import('@courier-fleet/api-types').ChannelsView>,
 * }} deps `channels`: whose couriers may be killed · `redis`: only the fleet's own
 */
export function createFleetTrouble({ fleet, channels, redis, readChannels }) {
  let redisAwayUntil = 0
  /** channel → when a courier of it was killed from here last */
  const killedAt = new Map()

  async function look() {
    const known = await readChannels(AbortSignal.timeout(answerWithinMs)).catch(() => undefined)
    return {
      answers: known !== undefined,
      channels: channels.map((channel) => {
        const said = known?.channels.find((each) => each.channel === channel)
        return {
          channel,
          running: couriersOf(channel).length,
          ready: said?.ready ?? false,
          waiting: said?.backlog.waiting ?? 0,
          pausedForMs: said?.backlog.pausedForMs ?? 0,
          ...(killedAt.has(channel) ? { killedMsAgo: Date.now() - killedAt.get(channel) } : {}),
        }
      }),
      ...(redis ? { redisAwayForMs: Math.max(0, redisAwayUntil - Date.now()) } : {}),
    }
  }

  const couriersOf = (channel) =>
    fleet
      .names()
      .filter((name) => name.startsWith(`courier-${channel}-`))
      .flatMap((name) => fleet.pidOf(name) ?? [])

  const doings = {
    look,
    async kill({ channel }) {
      if (!channels.includes(channel)) throw new Error(`couriers of ${channel} are not killed from here`)
      const [pid] = couriersOf(channel)
      if (pid === undefined) throw new Error(`no courier of ${channel} runs now`)
      process.kill(pid, 'SIGKILL')
      killedAt.set(channel, Date.now())
    },
    async 'redis-away'() {
      if (!redis) throw new Error('this Redis is not the own one of the fleet')
      redisAwayUntil = Date.now() + redisAwayMs
      await redis.call('CLIENT', 'PAUSE', redisAwayMs, 'ALL')
    },
  }

  return {
    /**
     * To be called at each of its starts.
     * @param {Pick<import('node:events').EventEmitter, 'on'> & { readonly connected: boolean, send(message: object, done: () => void): unknown }} sandbox
     */
    attach(sandbox) {
      const tell = (message) => sandbox.connected && sandbox.send({ fleet: message }, () => {})
      sandbox.on('message', ({ fleet: asked } = {}) => {
        if (!asked || !Object.hasOwn(doings, asked.what)) return
        doings[asked.what](asked).then(
          (answer) => tell({ id: asked.id, answer: answer ?? {} }),
          (error) => tell({ id: asked.id, refusal: error.message }),
        )
      })
      tell({ here: true })
    },
  }
}
