/** A text as it comes to a phone; a long one folded up. */
const most = 600

export function Bubble({ text }: { text: string }) {
  if (text.length <= most) return <p class="bubble">{text}</p>
  return (
    <details class="bubble">
      <summary>{text.slice(0, most / 3)}…</summary>
      <p>{text}</p>
    </details>
  )
}
