export function add(left: unknown, right: unknown): unknown {
  return typeof left === 'number' && typeof right === 'number' ? left + right : `${textOf(left)}${textOf(right)}`
}

/** As VK turns values into parameters: lists become comma-separated, an object is lost as "[object Object]". */
export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  if (value === true) return '1'
  if (Array.isArray(value)) return value.map(textOf).join(',')
  return typeof value === 'object' ? '[object Object]' : String(value)
}

/** Own members only; what is not there is null, as in VKScript. */
export function memberOf(object: unknown, name: unknown): unknown {
  if (object instanceof Map) return object.get(textOf(name)) ?? null
  if (typeof object !== 'object' || object === null) return null
  const own = Object.getOwnPropertyDescriptor(object, textOf(name))
  return own?.value ?? null
}
