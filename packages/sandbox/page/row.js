/** One row of the wall: a person, and of each of their phones what arrived last. */
import { arrange, make, prefersReducedMotion } from './elements.js'
import { keyOf } from './order.js'
import { channels, nameInWords, stateInWords, words } from './words.js'

const clock = new Intl.DateTimeFormat(words.language, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
/** a row that comes into sight with a message as new as this lights up as if it had been there */
const freshMs = 1500

/** people's channels, from left to right; whatever people have none of stands across all columns */
const columns = Object.keys(channels)
  .filter((name) => name !== 'http')
  .reverse()
const columnOf = ({ channel }) => columns.indexOf(channel) + 1

/** @param {(phone: object) => void} open */
export function createRow(open) {
  const name = make('h2', { className: 'who' })
  const list = make('div', { className: 'tiles' })
  const node = make('li', { className: 'row' }, name, list)
  const tiles = new Map()
  let shown

  return {
    node,
    /** @param row the same object changes nothing @param opened key of the phone that is open */
    show(row, opened) {
      for (const [key, tile] of tiles) tile.mark(key === opened)
      if (row === shown) return
      shown = row
      const views = [...row.phones.values()]
      const named = views.find((view) => nameInWords(view) !== undefined) ?? views[0]
      name.textContent = nameInWords(named) ?? named.address
      for (const view of views) {
        const key = keyOf(view)
        if (!tiles.has(key)) tiles.set(key, createTile(view, open))
        tiles.get(key).show(view)
        tiles.get(key).mark(key === opened)
      }
      views.sort((a, b) => columnOf(a) - columnOf(b))
      arrange(
        list,
        views.map((view) => tiles.get(keyOf(view)).node),
      )
    },
  }
}

function createTile({ channel, address }, open) {
  const when = make('time')
  const head = make('span', { className: 'head' }, make('b', { textContent: channels[channel].name }), when)
  const text = make('span', { className: 'latest' })
  const node = make('button', { type: 'button', className: 'tile', onclick: () => open(shown) }, head, text)
  node.style.setProperty('--column', columnOf({ channel }) === 0 ? '1 / -1' : columnOf({ channel }))
  node.dataset.channel = channel
  node.dataset.address = address
  let shown

  return {
    node,
    mark: (isOpen) => node.setAttribute('aria-pressed', String(isOpen)),
    show(view) {
      if (view === shown) return
      const latest = view.messages.filter(({ state }) => state !== 'waiting').at(-1)
      const before = shown?.messages.at(-1)?.at ?? (shown ? 0 : Date.now() - freshMs)
      const waiting = view.messages.filter(({ state }) => state === 'waiting').length
      shown = view
      node.dataset.state = view.state
      when.textContent = latest ? clock.format(latest.at) : ''
      const state = [stateInWords(view), waiting > 0 ? words.waiting(waiting) : ''].filter(Boolean).join(' · ')
      text.textContent = state || (latest?.text ?? (channel === 'http' ? address : ''))
      text.classList.toggle('quiet', !latest && !state)
      if (latest?.at > before && !prefersReducedMotion.matches)
        node.animate({ boxShadow: ['0 0 0 3px var(--tone), 0 0 2rem var(--tone)', '0 0 0 0 transparent'] }, 1400)
    },
  }
}
