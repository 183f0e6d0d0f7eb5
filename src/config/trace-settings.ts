/** The settings of traces. The settings have the names of OpenTelemetry's own, so that what operators know of other programs holds. */
import Joi from 'joi';

import { choice, number, text } from './setting.ts';

const TRACED = ['api', 'gateway', 'control', 'compute', 'instance'] as const;

const HEADERS = /^[^=,\s]+=(?:[^,\s%]|%[0-9a-f]{2})*(?:,[^=,\s]+=(?:[^,\s%]|%[0-9a-f]{2})*)*$/i;

/** Refuses what is no list of headers. The refusal does not show the value, which may be a key. */
const checkHeaders: Joi.CustomValidator<string> = (value, helpers) =>
  HEADERS.test(value)
    ? value
    : helpers.message({ custom: '{{#label}} must be name=value,name=value with values percent-encoded' });

/** Settings of traces, by their names in code. */
export const TRACE_SETTINGS = {
  tracesEndpoint: text(
    Joi.string()
      .uri({ scheme: ['http', 'https'] })
      .allow('')
      .default(''),
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    TRACED,
    'Collector that spans are sent to, by OTLP over HTTP, at /v1/traces below this address; empty: no traces.',
  ),
  tracesHeaders: text(
    Joi.string().custom(checkHeaders).allow('').default(''),
    'OTEL_EXPORTER_OTLP_HEADERS',
    ['api', 'gateway', 'control'],
    'Headers of each call of the collector, as name=value,name=value with values percent-encoded. Guests are not told them.',
  ),
  tracesServiceName: text(
    Joi.string().allow('').default(''),
    'OTEL_SERVICE_NAME',
    TRACED,
    'Name of the process in traces; empty: dockyard-api, dockyard-control and so on.',
  ),
  tracesRatio: number(
    Joi.number().min(0).max(1).default(1),
    'OTEL_TRACES_SAMPLER_ARG',
    TRACED,
    'Share of requests whose traces are recorded, from 0 to 1; a trace is recorded whole or not at all.',
  ),
  tracesDelayMs: number(
    Joi.number().integer().min(10).default(5000),
    'OTEL_BSP_SCHEDULE_DELAY',
    TRACED,
    'Longest time in milliseconds that an ended span waits before it is sent.',
  ),
  tracesOfCallers: choice(
    ['ignore', 'link', 'parent'],
    'ignore',
    'DOCKYARD_TRACES_OF_CALLERS',
    ['api'],
    'What the traceparent of a caller is: nothing, a link from our own trace, or the parent of it. With parent the caller decides what is recorded.',
  ),
};
