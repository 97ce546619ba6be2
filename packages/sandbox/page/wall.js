/** Draws the phones that are in sight, and only those, however many there are. */
import { arrange } from './elements.js'
import { createCard } from './phone-card.js'

const least = { width: 232, height: 312 }
const gap = 14
/** rows drawn beyond the edges, so that the Tab key and a quick hand find something there */
const rowsAround = 1

/** @param {{ list: HTMLElement, get(key: string): object, refused(error: unknown): void }} options */
export function createWall({ list, get, refused }) {
  const cards = new Map()
  let keys = []
  let inSight = new Set()

  function layout() {
    const width = list.clientWidth
    const columns = Math.max(1, Math.floor((width + gap) / (least.width + gap)))
    return { columns, width: (width - gap * (columns - 1)) / columns, row: least.height + gap }
  }

  function draw() {
    const { columns, width, row } = layout()
    const top = -list.getBoundingClientRect().top
    const first = Math.max(0, Math.floor(top / row) - rowsAround)
    const last = Math.ceil((top + innerHeight) / row) + rowsAround
    list.style.height = `${Math.ceil(keys.length / columns) * row}px`
    const shown = new Set(keys.slice(first * columns, last * columns))
    inSight = new Set(keys.slice(Math.max(0, Math.floor(top / row)) * columns, (last - rowsAround) * columns))
    const busy = document.activeElement?.closest('.phone')
    for (const [key, { node }] of cards) if (node === busy && keys.includes(key)) shown.add(key)

    const nodes = []
    for (const [index, key] of keys.entries()) {
      if (!shown.has(key)) continue
      const card = cards.get(key) ?? createCard(get(key), refused)
      cards.set(key, card)
      card.node.style.width = `${width}px`
      card.node.style.height = `${least.height}px`
      card.node.style.transform = `translate(${(index % columns) * (width + gap)}px, ${Math.floor(index / columns) * row}px)`
      card.node.setAttribute('aria-posinset', String(index + 1))
      card.node.setAttribute('aria-setsize', String(keys.length))
      nodes.push(card.node)
    }
    for (const key of cards.keys()) if (!shown.has(key)) cards.delete(key)
    arrange(list, nodes)
    // only what is in the document knows where its end is
    for (const [key, card] of cards) {
      card.show(get(key))
      card.keepEnd()
    }
  }

  return {
    draw,
    isInSight: (key) => inSight.has(key),
    /** @param {readonly string[]} wanted in their order; drawn by the next draw() */
    set(wanted) {
      keys = wanted
    },
    count: () => keys.length,
  }
}
