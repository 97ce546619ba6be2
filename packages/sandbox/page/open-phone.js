/** The phone that is open beside the wall, full size; over all of it where there is no room beside it. */
import { icon, make } from './elements.js'
import { keyOf } from './order.js'
import { createCard } from './phone-card.js'
import { openChat } from './sandbox.js'
import { words } from './words.js'

const cross = 'M3.5 3.5l9 9M12.5 3.5l-9 9'
const noRoomBeside = matchMedia('(max-width: 60rem)')

/** @param {{ place: HTMLElement, behind: readonly HTMLElement[], refused(error: unknown): void, changed(): void }} options */
export function createOpenPhone({ place, behind, refused, changed }) {
  /** { key, card, from, seen }: from is where the keyboard was, seen the latest message that was looked at */
  let opened
  const hint = make('p', { className: 'hint', textContent: words.hint })
  const close = make(
    'button',
    { type: 'button', className: 'switch close', title: words.close, onclick: shut },
    icon(cross),
  )
  close.setAttribute('aria-label', words.close)

  function draw() {
    place.replaceChildren(opened ? opened.card.node : hint)
    document.body.classList.toggle('phone-open', opened !== undefined)
    const isOver = opened !== undefined && noRoomBeside.matches
    for (const node of behind) node.inert = isOver
    changed()
  }

  /** Whoever has the phone before them reads what is on it. */
  function look(view) {
    opened.card.show(view)
    opened.card.keepEnd()
    const { id } = view.messages.at(-1) ?? {}
    if (id === opened.seen) return
    opened.seen = id
    openChat(view).catch(refused)
  }

  function shut() {
    const from = opened?.from
    opened = undefined
    draw()
    if (from?.isConnected) from.focus()
  }

  place.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && opened) shut()
  })
  noRoomBeside.addEventListener('change', draw)
  draw()

  return {
    key: () => opened?.key,
    /** @param view the phone as it is now */
    open(view) {
      const from = document.activeElement
      opened = { key: keyOf(view), card: createCard(view, refused), from }
      opened.card.node.querySelector('.top').append(close)
      draw()
      look(view)
      place.focus({ preventScroll: true })
    },
    /** Of another phone than the open one it takes no notice. */
    show(view) {
      if (opened?.key === keyOf(view)) look(view)
    },
  }
}
