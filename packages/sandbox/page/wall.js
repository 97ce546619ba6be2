/** Draws the rows that are in sight, and only those, however many people there are. */
import { arrange } from './elements.js'
import { createRow } from './row.js'

const gap = 8
/** of a row, in pixels: the name beside the phones, or above them where there is no room */
const heights = { wide: 72, narrow: 108 }
const narrowBelow = 560
/** rows drawn beyond the edges, so that the Tab key and a quick hand find something there */
const rowsAround = 1

/** @param {{ list: HTMLElement, get(key: string): object, opened(): string | undefined, open(phone: object): void }} options */
export function createWall({ list, get, opened, open }) {
  const rows = new Map()
  let keys = []
  let inSight = new Set()

  function draw() {
    const isNarrow = list.clientWidth < narrowBelow
    const height = isNarrow ? heights.narrow : heights.wide
    const step = height + gap
    const top = -list.getBoundingClientRect().top
    const first = Math.max(0, Math.floor(top / step) - rowsAround)
    const last = Math.ceil((top + innerHeight) / step) + rowsAround
    list.style.height = `${keys.length * step}px`
    list.classList.toggle('narrow', isNarrow)
    const shown = new Set(keys.slice(first, last))
    inSight = new Set(keys.slice(Math.max(0, Math.floor(top / step)), last - rowsAround))
    const busy = document.activeElement?.closest('.row')
    for (const [key, { node }] of rows) if (node === busy && keys.includes(key)) shown.add(key)

    const nodes = []
    for (const [index, key] of keys.entries()) {
      if (!shown.has(key)) continue
      const row = rows.get(key) ?? createRow(open)
      rows.set(key, row)
      row.node.style.height = `${height}px`
      row.node.style.transform = `translateY(${index * step}px)`
      row.node.setAttribute('aria-posinset', String(index + 1))
      row.node.setAttribute('aria-setsize', String(keys.length))
      row.show(get(key), opened())
      nodes.push(row.node)
    }
    for (const key of rows.keys()) if (!shown.has(key)) rows.delete(key)
    arrange(list, nodes)
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
