/** The messages on a phone, oldest first; what arrives lights the phone up. */
import { arrange, make, prefersReducedMotion } from './elements.js'
import { messageItem } from './message.js'
import { words } from './words.js'

/** a phone that comes into sight with a message as new as this lights up as if it had been there */
const freshMs = 1500
/** from the end, in pixels: whoever has scrolled further up stays there */
const atEndWithin = 40

/** @param {{ phone: HTMLElement, onPress(message: number, label: string): void }} options `phone` is what lights up */
export function createScreen({ phone, onPress }) {
  const list = make('ol')
  const node = make('div', { className: 'screen', role: 'group', tabIndex: 0 }, list)
  /** its end is seen: it stays so, whatever is added */
  let isAtEnd = true
  node.addEventListener('scroll', () => {
    isAtEnd = node.scrollHeight - node.scrollTop - node.clientHeight < atEndWithin
  })
  /** by id: the message as it was drawn, and its item; undefined before the first time */
  let drawn

  function itemOf(message) {
    const text = JSON.stringify(message)
    const before = drawn?.get(message.id)
    if (before?.text === text) return before
    const item = messageItem(message, (label) => onPress(message.id, label))
    // whoever pressed a button and got others in its place stays where they are
    if (before?.item.contains(document.activeElement)) queueMicrotask(() => item.querySelector('button')?.focus())
    if (drawn && !before) item.classList.add('new')
    return { text, item }
  }

  function light() {
    if (prefersReducedMotion.matches) return
    phone.animate({ boxShadow: ['0 0 0 3px var(--tone), 0 0 2rem var(--tone)', '0 0 0 0 transparent'] }, 1400)
  }

  return {
    node,
    show(messages) {
      const isFirst = drawn === undefined
      const arrived = isFirst ? messages.at(-1)?.at > Date.now() - freshMs : messages.some(({ id }) => !drawn.has(id))
      drawn = new Map(messages.map((message) => [message.id, itemOf(message)]))
      arrange(
        list,
        [...drawn.values()].map(({ item }) => item),
      )
      if (drawn.size === 0) list.replaceChildren(make('li', { className: 'silent', textContent: words.silent }))
      if (arrived) light()
    },
    /** A node that is moved within the document begins at its top again. */
    keepEnd() {
      if (isAtEnd) node.scrollTop = node.scrollHeight
    },
  }
}
