/** The newest message of all, always in sight; pressed, it opens its phone. */
import { keyOf } from './order.js'
import { channels, nameInWords, words } from './words.js'

const clock = new Intl.DateTimeFormat(words.language, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const newestOf = ({ messages }) => messages.filter(({ state }) => state !== 'waiting').at(-1)

/** @param {{ button: HTMLElement, open(phone: object): void }} options */
export function createLatest({ button, open }) {
  let shown
  button.onclick = () => shown && open(shown)

  function show(view) {
    const newest = newestOf(view)
    if (!newest) return
    if (shown && keyOf(shown) !== keyOf(view) && newestOf(shown).at > newest.at) return
    shown = view
    button.hidden = false
    const who = nameInWords(view) ?? view.address
    button.textContent = words.latest(clock.format(newest.at), who, channels[view.channel].name, newest.text)
  }

  return {
    show,
    /** Everything anew. */
    reset(views) {
      shown = undefined
      button.hidden = true
      for (const view of views) show(view)
    },
  }
}
