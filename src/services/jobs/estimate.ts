/**
 * Estimates: the offer that a submit of the same request would get, and a quote by which a submit gets this offer whatever
 * changes meanwhile. Nothing is held or stored.
 */
import type { Actor } from '../../domain/access.ts';
import type { DatabaseCatalogue } from '../../domain/databases.ts';
import { ceilingPence, computeMicro, microToUnits, softwareMicro } from '../../domain/pricing.ts';
import type { EstimateJobRequest } from '../../domain/requests.ts';
import type { Confirmations } from '../ligands/confirmation.ts';
import type { QuoteTokens } from '../prices/quote-tokens.ts';
import { answeredFxOrigin, answeredFxRate, CREDIT_CURRENCY } from '../prices/quotes.ts';
import type { ToolOffers } from '../tools/offers.ts';
import { offerFor, toolFor, withDatabase } from './offer.ts';
import type { Offer, OfferDependencies } from './offer.ts';
import type { EstimateJobResponse } from '../../domain/answers.ts';

/** The tools and prices that offers are made of, the check of ligand confirmations, and what signs quotes. */
export interface EstimateDependencies extends OfferDependencies {
  readonly confirmations: Pick<Confirmations, 'check'>;
  readonly offers: Pick<ToolOffers, 'require'>;
  readonly catalogue: DatabaseCatalogue;
  readonly quoteTokens: Pick<QuoteTokens, 'sign'>;
}

/**
 * Makes the estimate of a request; any key may ask.
 * @throws VALIDATION_ERROR, UNSUPPORTED_SIMULATOR, JOB_TYPE_UNAVAILABLE, CAPACITY_LIMIT_EXCEEDED, LIGAND_CONFIRMATION_INVALID, and the tool's own codes.
 */
export function createEstimate(deps: EstimateDependencies) {
  return async (actor: Actor, request: EstimateJobRequest): Promise<EstimateJobResponse> => {
    const { metadata, ...rest } = request;
    const plannable = metadata === undefined ? rest : { ...rest, metadata: { ...metadata } };
    const asked = toolFor(deps.tools, plannable, true);
    await deps.offers.require(asked.tool, asked.request);
    await deps.confirmations.check(actor, asked.request.simulationParams);
    const found = await withDatabase(deps.catalogue, asked);
    const offer = await offerFor(deps, found, null, { accountPlan: actor.plan });
    const { quoteId, expiresAt } = deps.quoteTokens.sign(actor, offer);
    return { ...priceOf(offer), quoteId, quoteExpiresAt: expiresAt };
  };
}

function priceOf({ quote, plan, warnings }: Offer): Omit<EstimateJobResponse, 'quoteId' | 'quoteExpiresAt'> {
  const { pricing } = quote;
  return {
    estimatedCost: microToUnits(quote.estimatedMicro),
    currency: pricing.currency,
    hasLicenseFee: softwareMicro(quote) > 0,
    licenseNames: [...pricing.licenceNames],
    breakdown: {
      compute: microToUnits(computeMicro(quote)),
      software: microToUnits(softwareMicro(quote)),
      storage: microToUnits(pricing.storageMicro),
      egress: microToUnits(pricing.egressMicro),
      startFee: microToUnits(pricing.startFeeMicro),
    },
    heldCents: quote.heldPence,
    ceilingCents: ceilingPence(quote),
    longestTaskSeconds: plan.taskTimeoutSeconds,
    creditCurrency: CREDIT_CURRENCY,
    fxRate: answeredFxRate(quote),
    ...answeredFxOrigin(quote),
    warnings: [...warnings],
  };
}
