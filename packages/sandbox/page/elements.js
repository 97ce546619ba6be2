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

const svg = 'http://www.w3.org/2000/svg'

/** A drawing of one line, 16 by 16; what it means is said by the label of its button. */
export function icon(line) {
  const drawing = document.createElementNS(svg, 'svg')
  const path = document.createElementNS(svg, 'path')
  drawing.setAttribute('viewBox', '0 0 16 16')
  drawing.setAttribute('aria-hidden', 'true')
  path.setAttribute('d', line)
  drawing.append(path)
  return drawing
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

export const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
