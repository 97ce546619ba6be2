/** Trouble for a fleet that lets itself be troubled, and beside each button what the fleet does about it. */
import { make } from './elements.js'
import { addFault, fleetNow, killCourier, redisAway } from './sandbox.js'
import { channels, words } from './words.js'

const everyMs = 1000
const toldForMs = 60_000
/** the provider says "slow down" so often, and to wait so long */
const throttle = { kind: 'throttle', count: 5, seconds: 10 }

/** @param {{ place: HTMLDetailsElement, refused(error: unknown): void }} options */
export async function createTrouble({ place, refused }) {
  const { channels: offered, redisAwayForMs } = await fleetNow()
  if (offered.length === 0) return
  const said = new Map()
  const list = make('ul', { className: 'faults' })
  const button = (textContent, act) =>
    make('button', { type: 'button', textContent, onclick: () => act().then(look).catch(refused) })

  function add(key, name, ...buttons) {
    const sentence = make('span', { role: 'status' })
    said.set(key, sentence)
    const item = make(
      'li',
      { className: 'fault' },
      make('b', { className: 'fault-name', textContent: name }),
      make('span', { className: 'acts' }, ...buttons),
      sentence,
    )
    if (channels[key]) item.dataset.channel = key
    list.append(item)
  }

  for (const { channel } of offered) {
    const { name, stranger } = channels[channel]
    if (stranger === undefined) continue
    const slow = button(words.slow(name), () => addFault({ channel, ...throttle }))
    add(
      channel,
      name,
      slow,
      button(words.kill(name), () => killCourier(channel)),
    )
  }
  if (redisAwayForMs !== undefined) add('redis', 'Redis', button(words.redisAway, redisAway))
  place.append(make('summary', { textContent: words.trouble }), list)
  place.hidden = false

  function show(now) {
    for (const each of now.channels) {
      const sentence = said.get(each.channel)
      if (sentence) tell(sentence, [courierInWords(each, now.answers), ...killInWords(each)].join(' · '))
    }
    if (said.has('redis')) tell(said.get('redis'), words.redisNow(now.redisAwayForMs))
  }

  async function look() {
    if (place.open) show(await fleetNow())
  }

  const lookAgain = () =>
    look()
      .catch(() => {}) // the page says itself that the sandbox is away
      .finally(() => setTimeout(lookAgain, everyMs))
  place.ontoggle = () => look().catch(refused)
  lookAgain()
}

/** A restart takes less time than it takes to look: it is said for a while that there was one. */
function killInWords({ killedMsAgo = Number.POSITIVE_INFINITY }) {
  return killedMsAgo < toldForMs ? [words.killedAgo(Math.round(killedMsAgo / 1000))] : []
}

/** Said aloud only when it is something else. */
function tell(sentence, text) {
  if (sentence.textContent !== text) sentence.textContent = text
}

function courierInWords({ running, ready, waiting, pausedForMs }, answers) {
  if (running === 0) return words.noCourier
  if (!answers) return words.noAnswer
  if (!ready) return words.starting
  if (pausedForMs > 0) return words.pausedFor(Math.ceil(pausedForMs / 1000), waiting)
  return waiting > 0 ? words.sending(waiting) : words.idle
}
