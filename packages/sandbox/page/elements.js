/**
 * An element with properties, attributes (of those whose names have a hyphen, and role) and children. What people wrote becomes text
 * nodes only.
 */
export function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'role' || name.includes('-')) node.setAttribute(name, value)
    else node[name] = value
  }
  node.append(...children)
  return node
}

/** Puts the nodes into the list in this order and takes all others out; moves none that need not be moved. */
export function arrange(list, nodes) {
  const wanted = new Set(nodes)
  for (const child of [...list.children]) if (!wanted.has(child)) child.remove()
  let next = list.firstElementChild
  for (const node of nodes) {
    if (node === next) next = next.nextElementSibling
    else if (!node.isConnected || !node.contains(document.activeElement)) list.insertBefore(node, next)
  }
}

export const calm = matchMedia('(prefers-reduced-motion: reduce)')
