import { useEffect, useRef } from 'preact/hooks'

/** The heading of a view: takes the focus when the view appears, so that keyboard and screen reader start there. */
export function Title({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    document.title = `${children} · courier-fleet`
  }, [children])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

/** For whoever has pressed what is not there any more. */
export const focusHeading = () => document.querySelector('h1')?.focus({ preventScroll: true })
