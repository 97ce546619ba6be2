/** A list of any length that renders only the rows in sight. Every row is as high as `.row` in style.css. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  readonly label: string
  readonly count: number
  readonly row: (index: number) => ComponentChildren
  /** whose row it is, where rows may change places: what is pressed there must stay theirs */
  readonly keyOf?: (index: number) => string | undefined
  /** called with the range of rows on the screen, also when `count` changes */
  readonly onVisible?: (from: number, to: number) => void
}

/** CSS pixels, as in style.css */
const rowPx = 72
/** rows rendered beyond each edge, ready to be scrolled to */
const margin = 6

export function WindowedList({ label, count, row, keyOf, onVisible }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const first = useSignal(0)
  const fitting = useSignal(12)

  useEffect(() => {
    const element = box.current
    if (!element) return
    let frame = 0
    const measure = () => {
      frame = 0
      first.value = Math.floor(element.scrollTop / rowPx)
      fitting.value = Math.ceil(element.clientHeight / rowPx) + 1
    }
    const soon = () => {
      frame ||= requestAnimationFrame(measure)
    }
    const resized = new ResizeObserver(soon)
    resized.observe(element)
    element.addEventListener('scroll', soon, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      resized.disconnect()
      element.removeEventListener('scroll', soon)
    }
  }, [])

  const from = Math.max(0, Math.min(first.value, count) - margin)
  const to = Math.min(count, first.value + fitting.value + margin)
  useEffect(() => {
    if (count > 0) onVisible?.(from, to)
  }, [from, to, count])

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="windowed" aria-label={label} tabIndex={0} ref={box}>
      <ul class="canvas" style={{ height: `${count * rowPx}px` }}>
        {Array.from({ length: to - from }, (_, index) => from + index).map((index) => (
          <li
            key={keyOf?.(index) ?? index}
            class="row"
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${index * rowPx}px)` }}
          >
            {row(index)}
          </li>
        ))}
      </ul>
    </section>
  )
}
