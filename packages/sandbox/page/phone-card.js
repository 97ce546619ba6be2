/** One phone of the wall: its messages, what can be written, pressed and switched. */
import { icon, make } from './elements.js'
import { createScreen } from './phone-screen.js'
import { follow, press, say, setState } from './sandbox.js'
import { channels, nameInWords, stateInWords, words } from './words.js'

const lines = {
  power: 'M8 2v6M4.6 4.3a5.2 5.2 0 1 0 6.8 0',
  block: 'M8 2.2a5.8 5.8 0 1 0 .01 0M3.9 3.9l8.2 8.2',
  send: 'M2 8l12-5.5-4 11-2.5-4.5zM7.5 9l6.5-6.5',
}

/** A link with a code, as a person of the phone would follow it. */
const isLink = (text) => /^(https:\/\/t\.me\/\w+\?start=|https:\/\/vk\.me\/[\w.]+\?ref=|sms:)\S+$/.test(text)

/**
 * @param {{ channel: string, address: string }} phone
 * @param {(error: unknown) => void} refused when the sandbox did not take something
 */
export function createCard(phone, refused) {
  const { channel, address } = phone
  const act = (action) => action.catch(refused)
  const node = make('article', { className: 'phone' })
  node.dataset.channel = channel
  node.dataset.address = address

  let shown
  const title = createTitle(phone)
  const block = createSwitch(lines.block, () => act(setState(phone, shown.state === 'blocked' ? 'ok' : 'blocked')))
  const power = createSwitch(lines.power, () => act(setState(phone, shown.state === 'off' ? 'ok' : 'off')))
  const screen = createScreen({ phone: node, onPress: (message, label) => act(press(phone, message, label)) })
  const state = make('p', { className: 'state', role: 'status' })
  const write = (text) => (isLink(text) ? follow(phone, text) : say(phone, text))
  const writing = createWritingLine(channel === 'http', write, refused)
  const top = make('div', { className: 'top' }, title.node, block.node, power.node)
  node.append(top, screen.node, state, writing.node)

  return {
    node,
    /** To be called when it may have been moved. */
    keepEnd: screen.keepEnd,
    /** @param view the phone as it is now; the same object changes nothing */
    show(view) {
      if (view === shown) return
      shown = view
      const label = title.show(view)
      screen.node.setAttribute('aria-label', words.messages(label))
      const waiting = view.messages.filter((message) => message.state === 'waiting').length
      node.dataset.state = view.state
      state.textContent = [stateInWords(view), waiting > 0 ? words.waiting(waiting) : '', view.notice ?? '']
        .filter(Boolean)
        .join(' · ')
      const cannotWrite = view.state !== 'ok'
      writing.show(label, cannotWrite)
      power.show(words.power, view.state !== 'off', cannotWrite && view.state !== 'off')
      block.show(channels[channel].block, view.state === 'blocked', cannotWrite && view.state !== 'blocked')
      screen.show(view.messages.filter((message) => message.state !== 'waiting'))
    },
  }
}

/** Behind # stand the keys of a browser. */
const withoutKeys = (address) => address.replace(/#.*$/, '')

function createTitle({ channel, address }) {
  const name = make('h2')
  const number = make('span', { className: 'address' })
  const channelName = channels[channel].name
  return {
    node: make('div', {}, name, number),
    /** @returns whose phone it is, in words */
    show(view) {
      const whose = nameInWords(view)
      name.textContent = whose ?? address
      number.textContent =
        whose === undefined ? channelName : channel === 'http' ? address : `${channelName} · ${withoutKeys(address)}`
      return `${whose ?? address}, ${channelName}`
    },
  }
}

function createSwitch(line, onclick) {
  const node = make('button', { type: 'button', className: 'switch', onclick }, icon(line))
  return {
    node,
    /** @param label not shown at all when undefined */
    show(label, isOn, disabled) {
      node.hidden = !label
      node.title = label ?? ''
      node.setAttribute('aria-label', node.title)
      node.setAttribute('aria-pressed', String(isOn))
      node.disabled = disabled
    },
  }
}

/**
 * @param {boolean} forSecret a receiver is told its secret, and nothing else
 * @param {(text: string) => Promise<unknown>} write what is written stays when it rejects
 */
function createWritingLine(forSecret, write, refused) {
  const input = make('input', { autocomplete: 'off', maxLength: 4000, placeholder: words.write })
  if (forSecret) Object.assign(input, { placeholder: words.giveSecret, pattern: '\\s*whsec_.+', spellcheck: false })
  const submit = make('button', { type: 'submit', 'aria-label': words.send, title: words.send }, icon(lines.send))
  const node = make('form', {}, input, submit)
  node.onsubmit = (event) => {
    event.preventDefault()
    const text = input.value.trim()
    if (!text) return
    write(text)
      .then(() => {
        input.value = ''
      })
      .catch(refused)
  }
  return {
    node,
    show(label, disabled) {
      input.setAttribute('aria-label', (forSecret ? words.giveSecretTo : words.writeFrom)(label))
      input.disabled = submit.disabled = disabled
    },
  }
}
