import type { ComponentChildren } from 'preact'
import { pathOf, type Route } from '../routes.ts'
import { useStores } from '../stores.ts'

/** An `<a>` to a view: shows it without loading a page, unless a new tab or window was asked for. */
export function Anchor(props: { to: Route; class?: string; current?: boolean; children: ComponentChildren }) {
  const { router } = useStores()
  return (
    <a
      href={pathOf(props.to)}
      class={props.class}
      aria-current={props.current ? 'page' : undefined}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        router.go(props.to)
      }}
    >
      {props.children}
    </a>
  )
}
