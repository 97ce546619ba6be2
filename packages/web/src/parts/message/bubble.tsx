/** longer texts are folded */
const maxLength = 600

/** A text as a phone shows it. */
export function Bubble({ text }: { text: string }) {
  if (text.length <= maxLength) return <p class="bubble">{text}</p>
  return (
    <details class="bubble">
      <summary>{text.slice(0, maxLength / 3)}…</summary>
      <p>{text}</p>
    </details>
  )
}
