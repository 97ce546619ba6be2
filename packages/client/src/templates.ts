import type {
  TemplateInput,
  TemplateList,
  TemplateOutcome,
  TemplateVersions,
  TemplateView,
} from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'

/** Stored texts, which messages name; staff change them. */
export function templateCalls(http: Http) {
  return {
    /** Without those that are archived, unless they are asked for. */
    templates: (query: { archived?: 'true' } = {}) => http.call<TemplateList>('GET', '/templates', { query }),
    template: (id: string) => http.call<TemplateView>('GET', path('templates', id)),
    templateVersions: (id: string) => http.call<TemplateVersions>('GET', path('templates', id, 'versions')),
    /** @param version that was read, of one that is there: refused with 412 where there is another by now */
    putTemplate: (id: string, template: TemplateInput, version?: number) =>
      http.call<TemplateOutcome>('PUT', path('templates', id), { body: template, version: version || undefined }),
    /** Nothing more is sent with it. */
    archiveTemplate: (id: string, version: number) => http.call<void>('DELETE', path('templates', id), { version }),
  }
}
