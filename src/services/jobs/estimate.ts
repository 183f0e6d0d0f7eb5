/** Estimates: the offer that a submit of the same request would get. Nothing is looked up, held or stored. */
import type { Actor } from '../../domain/access.ts';
import type { DatabaseCatalogue } from '../../domain/databases.ts';
import { computeMicro, microToUnits } from '../../domain/pricing.ts';
import type { EstimateJobRequest } from '../../domain/requests.ts';
import type { EstimateJobResponse } from '../../domain/responses.ts';
import type { Confirmations } from '../ligands/confirmation.ts';
import { answeredFxRate, CREDIT_CURRENCY } from '../prices/quotes.ts';
import type { ToolOffers } from '../tools/offers.ts';
import { offerFor, toolFor, withDatabase } from './offer.ts';
import type { OfferDependencies } from './offer.ts';

/** The tools and prices that offers are made of, and the check of ligand confirmations. */
export interface EstimateDependencies extends OfferDependencies {
  readonly confirmations: Pick<Confirmations, 'check'>;
  readonly offers: Pick<ToolOffers, 'require'>;
  readonly catalogue: DatabaseCatalogue;
}

/**
 * Makes the estimate of a request; any key may ask.
 * @throws VALIDATION_ERROR, UNSUPPORTED_SIMULATOR, JOB_TYPE_UNAVAILABLE, LIGAND_CONFIRMATION_INVALID, and the tool's own codes.
 */
export function createEstimate(deps: EstimateDependencies) {
  return async (actor: Actor, request: EstimateJobRequest): Promise<EstimateJobResponse> => {
    const { metadata, ...rest } = request;
    const plannable = metadata === undefined ? rest : { ...rest, metadata: { ...metadata } };
    const asked = toolFor(deps.tools, plannable, true);
    await deps.offers.require(asked.tool);
    await deps.confirmations.check(actor, asked.request.simulationParams);
    const { quote, warnings } = await offerFor(deps, await withDatabase(deps.catalogue, asked), null);
    const { pricing } = quote;
    return {
      estimatedCost: microToUnits(quote.estimatedMicro),
      currency: pricing.currency,
      hasLicenseFee: pricing.softwareMicro > 0,
      licenseNames: [...pricing.licenceNames],
      breakdown: {
        compute: microToUnits(computeMicro(quote)),
        software: microToUnits(pricing.softwareMicro),
        storage: microToUnits(pricing.storageMicro),
        egress: microToUnits(pricing.egressMicro),
        startFee: microToUnits(pricing.startFeeMicro),
      },
      heldCents: quote.heldPence,
      creditCurrency: CREDIT_CURRENCY,
      fxRate: answeredFxRate(quote),
      warnings: [...warnings],
    };
  };
}
