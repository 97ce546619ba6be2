/** One phone of the wall: its messages, what can be written, pressed and switched. */
import { arrange, calm, icon, make } from './elements.js'
import { messageItem } from './message.js'
import { press, say, setState } from './sandbox.js'
import { channels, stateInWords, words } from './words.js'

const lines = {
  power: 'M8 2v6M4.6 4.3a5.2 5.2 0 1 0 6.8 0',
  block: 'M8 2.2a5.8 5.8 0 1 0 .01 0M3.9 3.9l8.2 8.2',
  send: 'M2 8l12-5.5-4 11-2.5-4.5zM7.5 9l6.5-6.5',
}

/** a phone that comes into sight with a message as new as this lights up as if it had been there */
const freshMs = 1500

/**
 * @param {{ channel: string, address: string }} phone
 * @param {(error: unknown) => void} refused when the sandbox did not take something
 */
export function createCard(phone, refused) {
  const { channel, address } = phone
  const said = channels[channel]
  const act = (action) => action.catch(refused)
  let shown
  /** by id: the message as it was drawn, and its item */
  let drawn = new Map()

  const name = make('h2')
  const number = make('span', { className: 'address' })
  const power = make('button', { type: 'button', className: 'switch' }, icon(lines.power))
  const block = make('button', { type: 'button', className: 'switch', hidden: !said.block }, icon(lines.block))
  const state = make('p', { className: 'state', role: 'status' })
  const list = make('ol')
  const screen = make('div', { className: 'screen', role: 'group', tabIndex: 0 }, list)
  const input = make('input', { autocomplete: 'off', maxLength: 4000, placeholder: words.write })
  const submit = make('button', { type: 'submit', 'aria-label': words.send, title: words.send }, icon(lines.send))
  const form = make('form', {}, input, submit)
  const node = make(
    'li',
    { className: 'phone' },
    make('div', { className: 'top' }, make('div', {}, name, number), block, power),
    screen,
    state,
    form,
  )
  node.dataset.channel = channel
  node.dataset.address = address

  form.onsubmit = (event) => {
    event.preventDefault()
    const text = input.value.trim()
    if (!text) return
    act(
      say(phone, text).then(() => {
        input.value = ''
      }),
    )
  }
  power.onclick = () => act(setState(phone, shown.state === 'off' ? 'ok' : 'off'))
  block.onclick = () => act(setState(phone, shown.state === 'blocked' ? 'ok' : 'blocked'))
  if (said.block) toggle(block, said.block, false)

  function toggle(button, label, on) {
    button.title = label
    button.setAttribute('aria-label', label)
    button.setAttribute('aria-pressed', String(on))
  }

  function fill(messages) {
    const items = new Map()
    let arrived = false
    for (const message of messages) {
      const text = JSON.stringify(message)
      const before = drawn.get(message.id)
      if (before?.text === text) items.set(message.id, before)
      else {
        const item = messageItem(message, (label) => act(press(phone, message.id, label)))
        // whoever pressed a button and got others in its place stays where they are
        if (before?.item.contains(document.activeElement)) queueMicrotask(() => item.querySelector('button')?.focus())
        if (!before && shown) arrived = true
        if (!before && shown) item.classList.add('new')
        items.set(message.id, { text, item })
      }
    }
    drawn = items
    const atEnd = screen.scrollHeight - screen.scrollTop - screen.clientHeight < 40
    arrange(
      list,
      [...items.values()].map(({ item }) => item),
    )
    if (items.size === 0) list.replaceChildren(make('li', { className: 'silent', textContent: words.silent }))
    if (atEnd || !shown) screen.scrollTop = screen.scrollHeight
    if (arrived || (!shown && messages.at(-1)?.at > Date.now() - freshMs)) light()
  }

  function light() {
    if (calm.matches) return
    node.animate({ boxShadow: ['0 0 0 3px var(--tone), 0 0 2rem var(--tone)', '0 0 0 0 transparent'] }, 1400)
  }

  return {
    node,
    /** @param view the phone as it is now; the same object changes nothing */
    show(view) {
      if (view === shown) return
      const isOff = view.state === 'off'
      const waiting = view.messages.filter((message) => message.state === 'waiting').length
      const whose = view.name ?? address
      name.textContent = whose
      number.textContent = view.name === undefined ? said.name : `${said.name} · ${address}`
      screen.setAttribute('aria-label', words.messages(`${whose}, ${said.name}`))
      input.setAttribute('aria-label', words.writeFrom(`${whose}, ${said.name}`))
      toggle(power, words.power, !isOff)
      if (said.block) toggle(block, said.block, view.state === 'blocked')
      node.dataset.state = view.state
      state.textContent = [stateInWords(view), waiting > 0 ? words.waiting(waiting) : '', view.notice ?? '']
        .filter(Boolean)
        .join(' · ')
      const isMute = view.state !== 'ok'
      input.disabled = submit.disabled = isMute
      power.disabled = isMute && !isOff
      block.disabled = isMute && view.state !== 'blocked'
      fill(view.messages.filter((message) => message.state !== 'waiting'))
      shown = view
    },
  }
}
