import type { ComponentChildren } from 'preact'
import { pathOf, type Route } from '../routes.ts'
import { useStores } from '../stores.ts'

/** A real link: opens in a new tab when asked to, else shows the view at once. */
export function Link(props: { to: Route; class?: string; current?: boolean; children: ComponentChildren }) {
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
