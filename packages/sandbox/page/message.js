/** One message on a phone. */
import { make } from './elements.js'
import { words } from './words.js'

const clock = new Intl.DateTimeFormat(words.language, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** What a receiver made of a call: bad is what its caller did not want to hear, and a signature that is not to be believed. */
function callFacts({ signature, answered, tries }) {
  const fact = (text, isBad) => make(isBad ? 'strong' : 'span', { textContent: ` · ${text}` })
  const isTaken = answered >= 200 && answered < 300
  const said = answered === 'nothing' ? words.unanswered : words.answered(answered)
  return [
    fact(said, !isTaken),
    fact(words.signatures[signature], !['valid', 'unchecked'].includes(signature)),
    ...(tries > 1 ? [fact(words.tries(tries), false)] : []),
  ]
}

/** @param {(label: string) => void} onPress */
export function messageItem(message, onPress) {
  const { from, text, at, editedAt, state, buttons, files, call } = message
  const facts = make('small', {}, make('time', { dateTime: new Date(at).toISOString(), textContent: clock.format(at) }))
  if (editedAt !== undefined) facts.append(` · ${words.edited}`)
  if (state === 'expired') facts.append(make('strong', { textContent: ` ✕ ${words.expired}` }))
  else if (call) facts.append(...callFacts(call))
  else if (from === 'client')
    facts.append(make('span', { role: 'img', 'aria-label': words.delivered, textContent: ' ✓✓' }))
  const attached = (files ?? []).map(({ name }) => make('p', { className: 'file', textContent: name }))
  const item = make('li', { className: from }, make('p', { textContent: text }), ...attached, facts)
  item.classList.toggle('expired', state === 'expired')
  for (const row of buttons ?? []) {
    const labels = row.map((label) =>
      make('button', { type: 'button', textContent: label, onclick: () => onPress(label) }),
    )
    item.append(make('div', { className: 'keyboard' }, ...labels))
  }
  return item
}
