/** An operation of the OpenAPI document, and what is known of the route it is made from. */
import type { FastifyContextConfig } from 'fastify'

export type Json = Record<string, unknown>

export interface Answer {
  description: string
  headers?: Json
  content?: Record<string, { readonly schema?: Json }>
}

export interface Operation extends Json {
  description?: string
  parameters?: Json[]
  readonly requestBody?: Json
  readonly responses: Record<string, Answer | { readonly $ref: string }>
}

export interface OpenApiDocument extends Json {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { schemas: Record<string, Json>; parameters?: Json; responses?: Json }
}

export interface RouteFacts {
  readonly method: string
  readonly path: string
  readonly config: FastifyContextConfig
}
