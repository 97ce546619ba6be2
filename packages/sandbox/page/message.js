/** One message on a phone. */
import { make } from './elements.js'
import { words } from './words.js'

const clock = new Intl.DateTimeFormat(words.language, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** @param {(label: string) => void} onPress */
export function messageItem(message, onPress) {
  const { from, text, at, editedAt, state, buttons } = message
  const facts = make('small', {}, make('time', { dateTime: new Date(at).toISOString(), textContent: clock.format(at) }))
  if (editedAt !== undefined) facts.append(` · ${words.edited}`)
  if (state === 'expired') facts.append(make('strong', { textContent: ` ✕ ${words.expired}` }))
  else if (from === 'client')
    facts.append(make('span', { role: 'img', 'aria-label': words.delivered, textContent: ' ✓✓' }))
  const item = make('li', { className: from }, make('p', { textContent: text }), facts)
  item.classList.toggle('expired', state === 'expired')
  for (const row of buttons ?? []) {
    const labels = row.map((label) =>
      make('button', { type: 'button', textContent: label, onclick: () => onPress(label) }),
    )
    item.append(make('div', { className: 'keyboard' }, ...labels))
  }
  return item
}
