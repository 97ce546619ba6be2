/**
 * The API schema, layer by layer. The bulk is layer 198, as the `telegram` package ships it; what other layers shape
 * differently is listed in layer-changes.ts. An id names one shape for ever, so requests of every layer are read with one
 * map; answers are written in the shape of the client's own layer.
 */
import { createRequire } from 'node:module'
import { coreDefinitions } from './core-schema.ts'
import { alsoRead, writtenSince } from './layer-changes.ts'
import { createSchema, parseDefinitions, type Schema } from './schema.ts'

export const baseLayer = 198

export interface Layers {
  /** reads a request of any layer */
  readonly any: Schema
  /** writes answers for a client of this layer */
  of(layer: number): Schema
}

export function loadLayers(): Layers {
  // CommonJS without types: the module is the text of the schema
  const text: unknown = createRequire(import.meta.url)('telegram/tl/apiTl.js')
  if (typeof text !== 'string') throw new TypeError('telegram/tl/apiTl.js is not the text of a TL schema')
  const base = parseDefinitions(text)
  const written = writtenSince.map(([since, tl]) => ({ since, definitions: parseDefinitions(tl) }))
  const schemas = new Map<number, Schema>()

  const build = (layer: number): Schema =>
    createSchema([
      ...coreDefinitions,
      ...base,
      ...written.filter(({ since }) => since <= layer).flatMap(({ definitions }) => definitions),
    ])

  return {
    any: createSchema([
      ...coreDefinitions,
      ...parseDefinitions(alsoRead),
      ...written.flatMap(({ definitions }) => definitions),
      ...base,
    ]),
    of(layer) {
      const schema = schemas.get(layer) ?? build(layer)
      schemas.set(layer, schema)
      return schema
    },
  }
}
